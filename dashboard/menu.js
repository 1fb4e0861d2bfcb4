// On a phone the menu lies over the page: it closes when a page is chosen.
const NARROW = 768; // pixels; below them Streamlit's sidebar covers the page

export default function () {
  const close = (event) => {
    if (window.innerWidth > NARROW || !event.target.closest?.('[data-testid="stSidebarNavLink"]')) return;
    // once the link has been followed
    setTimeout(() => document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click());
  };
  document.addEventListener("click", close);
  return () => document.removeEventListener("click", close);
}
