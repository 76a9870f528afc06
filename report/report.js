/* SPDX-License-Identifier: GPL-3.0-or-later
   What the page does beside plots: theme, copying, filters, hints, where one is. Everything that
   is told here can be read without it. */
'use strict';

const page = {
  /* The place in the palette of the first kind among the words of a name, as base/palette.c has
     it; -1: none. */
  place_of(name) {
    const words = name.toLowerCase().split(/[^a-z0-9-]+/);
    for (const list of palette.lists) {
      const word = words.find(w => list.includes(w));
      if (word) return list.indexOf(word);
    }
    return -1;
  },
  /* The style at a place: `which` of `count` curves of the same kind, and no others if `alone`. */
  style_at(place, which = 0, count = 1, alone = false) {
    const base = `var(--s${place % palette.colours})`;
    const shade = alone && count > 1 ? -.6 + 1.05 * which / (count - 1) : 0;
    const ground = shade < 0 ? 'var(--ink)' : 'var(--bg)';
    return {
      colour: shade ? `color-mix(in srgb, ${base} ${Math.round(100 - 100 * Math.abs(shade))}%, ${ground})` : base,
      dash: palette.dashes[(place + 1) % palette.dashes.length],
      mark: (place + which) % palette.marks,
    };
  },
  svg(name, attributes, parent, text) {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    if (text !== undefined) node.textContent = text;
    if (parent) parent.append(node);
    return node;
  },
  html(name, attributes, parent, text) {
    const node = document.createElement(name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    if (text !== undefined) node.textContent = text;
    if (parent) parent.append(node);
    return node;
  },
  /* As many digits as tell something. */
  number(value) {
    if (value === null || !isFinite(value)) return '';
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2);
    return String(+value.toPrecision(5));
  },
  /* Round steps for an axis from a to b, about `count` of them. */
  ticks(a, b, count) {
    const raw = (b - a) / count, unit = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = [1, 2, 2.5, 5, 10].map(m => m * unit).find(s => s >= raw * 0.999);
    const list = [];
    for (let k = Math.ceil(a / step - 1e-9); k * step <= b + step * 1e-6; k++)
      list.push(+(k * step).toPrecision(12));
    return list;
  },
};

/* ---- one hint for the whole page ---- */

page.tip = (() => {
  const box = page.html('div', {class: 'tip', role: 'status', hidden: ''}, document.body);
  return {
    box,
    /* near a place in the window */
    show(x, y, lines) {
      box.replaceChildren();
      lines.forEach((line, k) => {
        if (k) box.append(document.createElement('br'));
        page.html(k ? 'span' : 'b', {}, box, line);
      });
      box.hidden = false;
      const size = box.getBoundingClientRect(), width = document.documentElement.clientWidth;
      let left = x + 14;
      if (left + size.width > width - 8) left = Math.max(8, x - size.width - 14);
      if (left + size.width > width - 8) left = Math.max(8, width - 8 - size.width);
      let top = y - size.height - 12;
      if (top < 8) top = y + 18;
      box.style.left = left + window.scrollX + 'px';
      box.style.top = top + window.scrollY + 'px';
    },
    hide() { box.hidden = true; },
  };
})();

document.addEventListener('pointerover', event => {
  const told = event.target.closest && event.target.closest('[data-tip]');
  if (told) {
    const at = told.getBoundingClientRect();
    page.tip.show(at.left + at.width / 2, at.top, [told.dataset.tip]);
  }
});
document.addEventListener('pointerout', event => {
  if (event.target.closest && event.target.closest('[data-tip]')) page.tip.hide();
});
document.addEventListener('keydown', event => { if (event.key === 'Escape') page.tip.hide(); });

/* ---- theme: what the system says, or one of the two ---- */

(() => {
  const button = document.querySelector('.theme'), root = document.documentElement;
  const names = ['auto', 'light', 'dark'];
  let theme = 'auto';
  try { theme = localStorage.getItem('switchq-theme') || 'auto'; } catch (e) { /* not kept then */ }
  const set = name => {
    theme = names.includes(name) ? name : 'auto';
    if (theme === 'auto') delete root.dataset.theme;
    else root.dataset.theme = theme;
    button.textContent = 'Theme: ' + theme;
    try { localStorage.setItem('switchq-theme', theme); } catch (e) { /* nor now */ }
    document.dispatchEvent(new Event('themechange'));
  };
  button.hidden = false;
  button.addEventListener('click', () => set(names[(names.indexOf(theme) + 1) % 3]));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change',
    () => document.dispatchEvent(new Event('themechange')));
  set(theme);
})();

/* ---- copying a command ---- */

for (const code of document.querySelectorAll('.command')) {
  const button = page.html('button', {type: 'button', class: 'copy'}, null, 'Copy');
  button.setAttribute('aria-label', 'Copy: ' + code.textContent);
  code.after(button);
  button.addEventListener('click', async () => {
    let done = true;
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch (e) { /* not allowed on pages from files, everywhere */
      getSelection().selectAllChildren(code);
      done = document.execCommand('copy');
    }
    button.textContent = done ? 'Copied' : 'Select and copy';
    setTimeout(() => { button.textContent = 'Copy'; }, 1600);
  });
}

/* ---- filters of the checks ---- */

for (const form of document.querySelectorAll('.filters')) {
  const families = [...form.parentElement.querySelectorAll('.family')];
  const apply = () => {
    const {level, outcome, text} = form.elements, words = text.value.toLowerCase().split(/\s+/);
    const any = level.value || outcome.value || text.value.trim();
    let shown = 0, all = 0;
    for (const family of families) {
      let here = 0;
      for (const row of family.querySelectorAll('tbody tr')) {
        const is = (!level.value || row.dataset.level === level.value) &&
          (!outcome.value || row.dataset.outcome === outcome.value) &&
          words.every(word => row.textContent.toLowerCase().includes(word));
        row.hidden = !is;
        here += is;
        all++;
      }
      family.hidden = here === 0;
      if (any) family.open = here > 0;
      shown += here;
    }
    form.querySelector('output').textContent = any ? shown + ' of ' + all + ' checks' : all + ' checks';
  };
  form.hidden = false;
  form.addEventListener('input', apply);
  form.addEventListener('submit', event => event.preventDefault());
  apply();
}

/* ---- where one is ---- */

if ('IntersectionObserver' in window) {
  const links = new Map();
  for (const link of document.querySelectorAll('nav li > a')) links.set(link.hash.slice(1), link);
  const seen = new IntersectionObserver(entries => {
    for (const entry of entries) {
      const link = links.get(entry.target.id);
      if (link) link.classList.toggle('here', entry.isIntersecting);
    }
  }, {rootMargin: '-20% 0px -75% 0px'});
  for (const section of document.querySelectorAll('main > section')) seen.observe(section);
}
