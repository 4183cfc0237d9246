// The content of an HTML widget, rebuilt from the elements and attributes listed here; all other markup is dropped.

const TAGS = new Set(
  ("a abbr b blockquote br caption code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i kbd li mark ol p pre q s small span " +
    "strong sub sup table tbody td tfoot th thead tr u ul var").split(" "),
);
const DROPPED = new Set("script style iframe object noscript textarea select svg math title".split(" "));
const ATTRIBUTES = new Set("class title lang dir colspan rowspan scope".split(" "));

/**
 * @param {string} html
 * @returns {DocumentFragment}
 */
export function sanitize(html) {
  return copyChildren(new DOMParser().parseFromString(html, "text/html").body);
}

/** @param {Node} parent */
function copyChildren(parent) {
  const fragment = document.createDocumentFragment();
  for (const child of parent.childNodes) {
    if (child instanceof Text) fragment.append(child.data);
    else if (child instanceof Element) fragment.append(copyElement(child));
  }
  return fragment;
}

/** @param {Element} source */
function copyElement(source) {
  const tag = source.localName;
  if (DROPPED.has(tag)) return "";
  if (!TAGS.has(tag)) return copyChildren(source);
  const copy = document.createElement(tag);
  for (const { name, value } of source.attributes) if (ATTRIBUTES.has(name)) copy.setAttribute(name, value);
  const address = tag === "a" ? source.getAttribute("href") : null;
  if (address !== null && isHarmless(address)) copy.setAttribute("href", address);
  copy.append(copyChildren(source));
  return copy;
}

/** @param {string} address */
function isHarmless(address) {
  try {
    return ["http:", "https:", "mailto:", "file:"].includes(new URL(address, document.baseURI).protocol);
  } catch {
    return false;
  }
}
