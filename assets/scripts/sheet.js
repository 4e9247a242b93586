// The sheet that is printed instead of the page. Python builds and escapes it.
export default function ({ parentElement, data }) {
  parentElement.querySelector(".sc-sheet").replaceChildren(...new DOMParser().parseFromString(data, "text/html").body.childNodes);
}
