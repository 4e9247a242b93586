// An element with its properties, data attributes and children; read before the scripts that build pages.
const el = (name, facts = {}, ...children) => {
  const { dataset, ...rest } = facts, made = Object.assign(document.createElement(name), rest);
  Object.assign(made.dataset, dataset);
  made.append(...children);
  return made;
};
