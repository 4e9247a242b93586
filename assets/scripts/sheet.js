// The sheet that is printed in place of the page; the page builds and escapes it.
export default function ({ parentElement, data }) {
  parentElement.querySelector(".sc-sheet").replaceChildren(...new DOMParser().parseFromString(data, "text/html").body.childNodes);
}
