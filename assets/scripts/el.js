// Create an element with properties, data attributes and children. The page loads this script before the scripts that use it.
const el = (name, facts = {}, ...children) => {
  const { dataset, ...rest } = facts, made = Object.assign(document.createElement(name), rest);
  Object.assign(made.dataset, dataset);
  made.append(...children);
  return made;
};
