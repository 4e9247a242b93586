// Create an element with properties, data attributes and children. The page loads this script before the scripts that use it.
const el = (name, { dataset, ...properties } = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  Object.assign(element.dataset, dataset);
  element.append(...children);
  return element;
};
