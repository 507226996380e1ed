for (const input of document.querySelectorAll('input[data-for]')) {
  const rows = document.getElementById(input.dataset.for).tBodies[0].rows;
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = (row.textContent + ' ' + (row.dataset.words || '')).toLowerCase();
      row.hidden = !words.every(w => text.includes(w));
    }
  });
}
for (const button of document.querySelectorAll('th button')) {
  button.addEventListener('click', () => {
    const head = button.closest('th'), body = head.closest('table').tBodies[0];
    const up = head.getAttribute('aria-sort') === 'descending';
    for (const other of head.parentNode.children) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const key = row => row.cells[head.cellIndex].dataset.key ?? row.cells[head.cellIndex].textContent;
    const by = (a, b) => { const x = key(a), y = key(b), d = x - y; return Number.isNaN(d) ? x.localeCompare(y) : d; };
    body.append(...[...body.rows].sort((a, b) => up ? by(a, b) : by(b, a)));
  });
}
