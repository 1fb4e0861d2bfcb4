// The Escape key hides the notes on errors that the pointer or the keyboard has opened, until they are opened again.
const OPEN = "mark.error:is(:hover, :focus)";

export default function () {
  const hide = (event) => {
    if (event.key !== "Escape") return;
    for (const mark of document.querySelectorAll(OPEN)) mark.classList.add("hidden-note");
  };
  const reset = (event) => event.target.closest?.("mark.error")?.classList.remove("hidden-note");
  document.addEventListener("keydown", hide);
  document.addEventListener("focusout", reset);
  document.addEventListener("pointerout", reset);
  return () => {
    document.removeEventListener("keydown", hide);
    document.removeEventListener("focusout", reset);
    document.removeEventListener("pointerout", reset);
  };
}
