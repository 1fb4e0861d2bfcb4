// Keeps in the browser's tab the key to its files on the server and the address of what it shows. A reload keeps both, and
// no other tab has them, unless the tab is duplicated.
const NAME = "bleu-dashboard";

let answered = null; // the key of the session that has been told

export default function ({ data, setStateValue }) {
  let record = null;
  try {
    record = JSON.parse(sessionStorage.getItem(NAME));
  } catch {
    // the browser does not let pages keep anything
  }
  const known = record === null || record.key === data.key;
  if (!data.settled && answered !== data.key && (data.waiting || !known)) {
    answered = data.key;
    setStateValue("answer", { asked: data.key, key: record?.key ?? "", shown: record?.shown ?? "" });
  } else if (data.settled || known) {
    try {
      sessionStorage.setItem(NAME, JSON.stringify({ key: data.key, shown: data.shown || record?.shown || "" }));
    } catch {
      // as above
    }
  }
}
