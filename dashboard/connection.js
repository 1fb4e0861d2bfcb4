// The words of this dashboard where Streamlit's say that its server does not respond, which is rarely the internet's fault.
const STREAMLITS = /^(Streamlit server is not responding|Is Streamlit still running)/;
const OURS =
  "The server of the dashboard does not respond. If it was started on this computer, start it again with the same " +
  "command; otherwise ask the person who runs it. This page then reconnects by itself. After a restart, files that " +
  "were added on the Data page have to be added again.";

export default function () {
  const replace = () => {
    for (const dialog of document.querySelectorAll('[role="dialog"]')) {
      const texts = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        if (!STREAMLITS.test(texts.currentNode.nodeValue)) continue;
        texts.currentNode.nodeValue = OURS; // the node stays, since Streamlit's page removes it itself
        const command = dialog.querySelector("pre"); // it starts Streamlit, and not the dashboard
        if (command) command.hidden = true;
      }
    }
  };
  const observer = new MutationObserver(replace);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
