// The sheet that is printed in place of the page; made and escaped by the page.
export default function ({ parentElement, data }) {
  parentElement.querySelector(".sc-sheet").replaceChildren(...new DOMParser().parseFromString(data, "text/html").body.childNodes);
}
