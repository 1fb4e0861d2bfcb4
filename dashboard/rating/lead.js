// Exchanges the token of the lead's link for the cookie of a session, and opens the campaign.

const message = document.getElementById("message");
const token = location.hash.slice(1);
// The address bar shows the token no more. The browser's history has kept it: that is why the link expires.
history.replaceState(null, "", location.pathname);

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
