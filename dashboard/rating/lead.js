// Exchanges the token of the lead's link for a cookie, and opens the campaign.

const message = document.getElementById("message");
const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname); // so that the token stays in no history

try {
  const answer = await fetch("lead", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
  if (answer.ok) {
    location.replace("campaign");
  } else {
    message.textContent = (await answer.json()).message;
  }
} catch {
  message.textContent = "The server cannot be reached. Open the link again.";
}
