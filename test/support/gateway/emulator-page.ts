/** The emulator's page: chat as the customer, type as the owner on the phone, break the session. */
export const emulatorPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>WhatsApp gateway emulator</title>
<style>
:root { color-scheme: light dark; --line: #8884; --customer: #d9fdd3; --agent: #ffffff; --phone: #fdeecb; --text: #14201b; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 44rem; padding: 1rem; display: flex; flex-direction: column; height: 100dvh; gap: .75rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: end; }
h1 { font-size: 1.1rem; margin: 0; flex-basis: 100%; }
label { display: flex; flex-direction: column; font-size: .8rem; }
input, select, button { font: inherit; padding: .45rem .6rem; border: 1px solid var(--line); border-radius: .5rem; }
button { cursor: pointer; background: #128c7e; color: #fff; border: 0; }
button.quiet { background: #7a5c00; }
#chat { flex: 1; overflow: auto; background: #e7e0d8; border-radius: .75rem; padding: 1rem; display: flex; flex-direction: column; gap: .4rem; margin: 0; list-style: none; }
#chat li { max-width: 80%; padding: .45rem .7rem; border-radius: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; color: var(--text); align-self: flex-start; background: var(--agent); }
#chat li.customer { align-self: flex-end; background: var(--customer); }
#chat li.phone { background: var(--phone); }
#chat li.typing { font-style: italic; opacity: .75; }
#chat small { display: block; opacity: .65; font-size: .7rem; }
form { display: flex; gap: .5rem; }
form input { flex: 1; min-width: 0; }
#note { min-height: 1.5em; margin: 0; font-size: .85rem; }
</style>
</head>
<body>
<header>
<h1>WhatsApp gateway emulator</h1>
<label>Your number <input id="number" inputmode="numeric" value="553499990002" size="14"></label>
<label>Your name <input id="name" value="Customer" size="12"></label>
<label>Session <select id="session"><option>connected</option><option>connecting</option><option>disconnected</option><option>hibernated</option></select></label>
</header>
<ul id="chat" aria-live="polite"></ul>
<p id="note" role="status"></p>
<form id="say">
<input id="text" autocomplete="off" aria-label="Message" placeholder="Write as the customer…" required>
<button>Send</button>
<button type="button" id="phone" class="quiet" title="As the owner of the paired phone would, to this customer">Type on the phone</button>
</form>
<script>
const $ = (id) => document.getElementById(id);
const post = (path, body) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
let shown = '';
async function refresh() {
  const state = await (await fetch('/emulator/chat?number=' + encodeURIComponent($('number').value))).json();
  if (document.activeElement !== $('session')) $('session').value = state.session;
  const now = JSON.stringify([state.lines, state.typing]);
  if (now === shown) return;
  shown = now;
  $('chat').replaceChildren(...state.lines.map((line) => {
    const item = document.createElement('li');
    item.className = line.from;
    item.textContent = line.text;
    const small = document.createElement('small');
    small.textContent = (line.from === 'phone' ? 'typed on the phone, ' : '') + new Date(line.atMs).toLocaleTimeString();
    item.append(small);
    return item;
  }));
  if (state.typing) {
    const item = document.createElement('li');
    item.className = 'typing';
    item.textContent = 'typing…';
    $('chat').append(item);
  }
  $('chat').scrollTop = $('chat').scrollHeight;
}
async function say(path) {
  const text = $('text').value;
  if (text.trim() === '') return;
  $('text').value = '';
  $('note').textContent = 'Delivering…';
  const answers = await (await post(path, { number: $('number').value, name: $('name').value, text })).json();
  $('note').textContent = answers.length === 0
    ? 'No webhook takes this message: connect the channel and set the webhook first.'
    : 'Webhook: ' + answers.map((one) => one.status + ' ' + one.text).join('; ');
  refresh();
}
$('say').addEventListener('submit', (event) => { event.preventDefault(); say('/emulator/say'); });
$('phone').addEventListener('click', () => say('/emulator/phone'));
$('session').addEventListener('change', () => post('/emulator/session', { session: $('session').value }));
setInterval(() => refresh().catch(() => { $('note').textContent = 'The emulator has stopped.'; }), 700);
refresh();
</script>
</body>
</html>
`;
