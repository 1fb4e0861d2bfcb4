// The words of this dashboard where Streamlit's say that its server does not respond, which is rarely the internet's fault.
const STREAMLITS = /^(Streamlit server is not responding|Is Streamlit still running)/;
const OURS =
  "The server of the dashboard does not respond. If it was started on this computer, start it again with the same " +
  "command; otherwise ask the person who runs it. This page then reconnects by itself. After a restart, files that " +
  "were added on the Data page have to be added again.";

export default function () {
  const replace = () => {
    for (const paragraph of document.querySelectorAll('[role="dialog"] p')) {
      if (!STREAMLITS.test(paragraph.textContent)) continue;
      // The nodes stay, since Streamlit's page removes them itself.
      for (const node of paragraph.childNodes) node.nodeValue = node === paragraph.firstChild ? OURS : "";
      const command = paragraph.closest('[role="dialog"]').querySelector("pre"); // of Streamlit, which starts no dashboard
      if (command) command.hidden = true;
    }
  };
  const observer = new MutationObserver(replace);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
