// A page's contents: links that open a folded section and bring its heading into view, and one back to the top.
export default function ({ data, parentElement }) {
  const list = parentElement.querySelector("ul");
  const link = (title, go) => {
    const item = document.createElement("li");
    const anchor = document.createElement("a");
    anchor.textContent = title;
    anchor.onclick = (event) => {
      event.preventDefault(); // the address stays that of the page
      go();
    };
    item.append(anchor);
    list.append(item);
    return anchor;
  };
  list.replaceChildren();
  link("Back to the top", () => document.querySelector("h1").scrollIntoView()).href = "#";
  for (const { anchor, title } of data.sections) {
    link(title, () => {
      const folded = document.querySelector(`.st-key-${CSS.escape(`section-${anchor}`)} details:not([open]) summary`);
      if (folded) folded.click();
      document.getElementById(anchor).scrollIntoView();
    }).href = `#${anchor}`;
  }
}
