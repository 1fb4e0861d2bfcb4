// Keeps in the browser's tab the key to its files on the server and the address of what it shows. A reload keeps both, and
// no other tab has them, unless the tab is duplicated. Other tabs of the browser learn only that there are files.
const NAME = "bleu-dashboard";
const QUESTION = "Has a tab files?";
const ANSWER = "This tab has.";

let answered = null; // the key of the session that has been told
let hasFiles = false; // whether this tab has files
let report = null; // tells the session that another tab has files; once
const channel = "BroadcastChannel" in window ? new BroadcastChannel(NAME) : null;

if (channel !== null) {
  channel.onmessage = ({ data }) => {
    if (data === QUESTION && hasFiles) channel.postMessage(ANSWER);
    if (data === ANSWER) report?.();
  };
}

function askOtherTabs(key, setStateValue) {
  if (channel === null || report !== null) return;
  report = () => {
    report = () => {};
    setStateValue("others", key);
  };
  channel.postMessage(QUESTION);
}

export default function ({ data, setStateValue }) {
  let record = null;
  try {
    record = JSON.parse(sessionStorage.getItem(NAME));
  } catch {
    // the browser does not let pages keep anything
  }
  const known = record === null || record.key === data.key;
  hasFiles = data.files;
  if (!data.settled && answered !== data.key && (data.waiting || !known)) {
    answered = data.key;
    setStateValue("answer", { asked: data.key, key: record?.key ?? "", shown: record?.shown ?? "" });
  } else if (data.settled || known) {
    try {
      sessionStorage.setItem(NAME, JSON.stringify({ key: data.key, shown: data.shown || record?.shown || "" }));
    } catch {
      // as above
    }
    if (!data.waiting && !data.files) askOtherTabs(data.key, setStateValue);
  }
}
