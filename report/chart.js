/* SPDX-License-Identifier: GPL-3.0-or-later
   Line plots as SVG. Each kind has a colour, a dash and a mark of its own, so that no plot needs its
   colours. The nearest point is told where the pointer is,
   or by the arrow keys. */
'use strict';


/* Mark k of radius r round (0, 0). */
page.mark = (k, r) => [
  `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
  `M${-r * .9} ${-r * .9}h${r * 1.8}v${r * 1.8}h${-r * 1.8}Z`,
  `M0 ${-r * 1.2}L${r * 1.15} ${r * .85}H${-r * 1.15}Z`,
  `M0 ${-r * 1.3}L${r * 1.3} 0L0 ${r * 1.3}L${-r * 1.3} 0Z`,
  `M0 ${r * 1.2}L${r * 1.15} ${-r * .85}H${-r * 1.15}Z`,
  `M0 ${-r * 1.3}L${r * 1.25} ${-r * .4}L${r * .77} ${r * 1.05}H${-r * .77}L${-r * 1.25} ${-r * .4}Z`,
][k % palette.marks];

/* Each curve has the style of its kind, as in cli/print/drawing.c; curves of no kind have the next
   free places. */
page.style = series => {
  const places = series.map(s => page.place_of(s.name));
  const count = k => places.filter(p => p === places[k]).length;
  const which = k => places.slice(0, k).filter(p => p === places[k]).length;
  const alone = places.every(p => p === places[0]);
  const free = Array.from({length: 2 * series.length}, (_, place) => place).filter(p => !places.includes(p));
  series.forEach((s, k) => {
    Object.assign(s, places[k] < 0 ? page.style_at(free[which(k)])
      : page.style_at(places[k], which(k), count(k), alone));
    s.shown = true;
  });
};

page.Chart = class {
  constructor(figure, data) {
    this.figure = figure;
    this.data = data;
    this.at = null; /* [series, point] that is told */
    page.style(data.series);
    data.series.forEach(s => { s.points = s.points.filter(p => p[1] !== null && (!data.log || p[1] > 0)); });
    this.plot = page.svg('svg', {class: 'plot', tabindex: 0, role: 'img',
      'aria-label': figure.dataset.title + ': ' + data.y + ' over ' + data.x +
        '. The arrow keys go from point to point.'});
    figure.querySelector('script').after(this.plot);
    this.add_keys();
    this.plot.addEventListener('pointermove', e => this.tell_nearest(e));
    this.plot.addEventListener('pointerdown', e => this.tell_nearest(e));
    this.plot.addEventListener('pointerleave', () => this.tell(null));
    this.plot.addEventListener('keydown', e => this.key(e));
    this.plot.addEventListener('blur', () => this.tell(null));
    this.width = 0;
    new ResizeObserver(() => this.draw()).observe(figure);
    this.draw();
  }

  add_keys() {
    const list = page.html('ul', {class: 'keys'});
    this.plot.after(list);
    for (const s of this.data.series) {
      const button = page.html('button', {type: 'button', 'aria-pressed': 'true'},
        page.html('li', {}, list));
      const sample = page.svg('svg', {viewBox: '0 0 30 12', 'aria-hidden': 'true'}, button);
      page.svg('path', {d: 'M1 6H29', fill: 'none', 'stroke-width': 1.8, 'stroke-dasharray': s.dash,
        style: `stroke:${s.colour}`}, sample);
      page.svg('path', {d: page.mark(s.mark, 3.4), transform: 'translate(15 6)', style: `fill:${s.colour}`}, sample);
      button.append(s.name);
      button.addEventListener('click', () => {
        s.shown = !s.shown;
        button.setAttribute('aria-pressed', s.shown);
        this.width = 0;
        this.draw();
      });
      button.addEventListener('pointerenter', () => this.stress(s));
      button.addEventListener('pointerleave', () => this.stress(null));
    }
    if (this.data.series.some(s => s.printed.length)) {
      const note = page.html('span', {class: 'note'}, page.html('li', {}, list));
      const sample = page.svg('svg', {viewBox: '0 0 14 12', class: 'plot', style: 'width:14px'}, note);
      page.svg('path', {class: 'printed', d: page.mark(0, 4), transform: 'translate(7 6)'}, sample);
      note.append('printed');
    }
  }

  stress(series) {
    for (const group of this.plot.querySelectorAll('.series'))
      group.classList.toggle('faint', series !== null && this.data.series[group.dataset.k] !== series);
  }

  ranges() {
    const d = this.data, all = d.series.flatMap(s => s.points.concat(s.printed));
    const xs = all.map(p => p[0]), ys = all.map(p => p[1]);
    const most = list => list.reduce((a, b) => Math.max(a, b), -Infinity);
    const least = list => list.reduce((a, b) => Math.min(a, b), Infinity);
    const x = [Math.min(0, least(xs)), most(xs)];
    if (d.x_most) x[1] = d.x_most;
    else x[1] += (x[1] - x[0]) * .02;
    if (d.log) {
      const low = Math.max(least(ys), 1e-4);
      return {x, y: [Math.pow(10, Math.floor(Math.log10(low))), most(ys) * 1.6]};
    }
    let top = most(ys), low = Math.min(0, least(ys));
    /* curves that stay far from zero are not pressed together for its sake */
    if (!d.y_most && least(ys) > .6 * top) low = Math.max(0, least(ys) - .25 * (top - least(ys)));
    if (low < 0) low *= 1.1;
    top = d.y_most ? Math.min(d.y_most, Math.max(top * 1.06, d.y_most * .2)) : top * 1.06;
    return {x, y: [low, top > low ? top : low + 1]};
  }

  draw() {
    const width = Math.round(this.figure.clientWidth);
    if (!width || width === this.width) return;
    this.width = width;
    const height = Math.round(Math.min(430, Math.max(230, width * .62)));
    const box = {left: 52, right: 10, top: 24, bottom: 40}, d = this.data, r = this.ranges();
    const w = width - box.left - box.right, h = height - box.top - box.bottom;
    const low = d.log ? Math.log10(r.y[0]) : r.y[0], high = d.log ? Math.log10(r.y[1]) : r.y[1];
    this.x = v => box.left + (v - r.x[0]) / (r.x[1] - r.x[0]) * w;
    this.y = v => box.top + h - ((d.log ? Math.log10(Math.max(v, 1e-300)) : v) - low) / (high - low) * h;
    const svg = this.plot;
    svg.replaceChildren();
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const clip = 'clip' + (page.clips = (page.clips || 0) + 1);
    page.svg('rect', {x: box.left - 5, y: box.top - 5, width: w + 14, height: h + 10},
      page.svg('clipPath', {id: clip}, page.svg('defs', {}, svg)));
    this.axes(svg, r, box, w, h, width, height);
    const body = page.svg('g', {'clip-path': `url(#${clip})`}, svg);
    d.series.forEach((s, k) => { if (s.shown) this.curve(body, s, k); });
    d.series.forEach(s => {
      if (!s.shown) return;
      for (const p of s.printed)
        page.svg('path', {class: 'printed', d: page.mark(s.mark, 4.4),
          transform: `translate(${this.x(p[0]).toFixed(1)} ${this.y(p[1]).toFixed(1)})`}, body);
    });
    this.ring = page.svg('circle', {class: 'focus', r: 8, visibility: 'hidden'}, svg);
  }

  axes(svg, r, box, w, h, width, height) {
    const d = this.data, bottom = box.top + h;
    const ys = d.log ? [] : page.ticks(r.y[0], r.y[1], Math.max(3, h / 52));
    for (let e = Math.log10(r.y[0]); d.log && e <= Math.log10(r.y[1]); e++) ys.push(Math.pow(10, Math.round(e)));
    for (const v of ys) {
      const y = this.y(v).toFixed(1);
      page.svg('path', {class: 'grid', d: `M${box.left} ${y}h${w}`}, svg);
      page.svg('text', {x: box.left - 8, y, dy: '.34em', 'text-anchor': 'end'}, svg,
        d.log && v < .01 ? '10' + [...String(Math.round(Math.log10(v)))].map(c => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(c)]).join('') : page.number(v));
    }
    for (const v of page.ticks(r.x[0], r.x[1], Math.max(3, w / 66))) {
      const x = this.x(v).toFixed(1);
      page.svg('path', {class: 'axis', d: `M${x} ${bottom}v5`}, svg);
      page.svg('text', {x, y: bottom + 18, 'text-anchor': 'middle'}, svg, page.number(v));
    }
    page.svg('path', {class: 'axis', d: `M${box.left} ${bottom}h${w}`}, svg);
    page.svg('text', {x: box.left + w, y: height - 3, 'text-anchor': 'end'}, svg, width < 380 && d.x_short ? d.x_short : d.x);
    page.svg('text', {x: 0, y: 11}, svg, d.y);
  }

  curve(body, s, k) {
    const group = page.svg('g', {class: 'series', 'data-k': k}, body), many = s.points.length > 60;
    const places = s.points.map(p => [this.x(p[0]).toFixed(1), this.y(p[1]).toFixed(1)]);
    page.svg('path', {class: 'line', style: `stroke:${s.colour}`, 'stroke-dasharray': s.dash,
      d: places.map((p, j) => (j ? 'L' : 'M') + p.join(' ')).join('')}, group);
    s.points.forEach((p, j) => {
      if (p[2] && Math.abs(this.y(p[1] + p[2]) - this.y(p[1] - p[2])) > 9)
        page.svg('path', {class: 'err', style: `stroke:${s.colour}`,
          d: `M${places[j][0]} ${this.y(p[1] - p[2]).toFixed(1)}V${this.y(p[1] + p[2]).toFixed(1)}`}, group);
      if (!many)
        page.svg('path', {class: 'mark', d: page.mark(s.mark, 3.1), style: `fill:${s.colour}`,
          transform: `translate(${places[j].join(' ')})`}, group);
    });
  }

  tell_nearest(event) {
    const at = this.plot.getBoundingClientRect(), scale = this.width / at.width;
    const x = (event.clientX - at.left) * scale, y = (event.clientY - at.top) * scale;
    let best = null, distance = Infinity;
    this.data.series.forEach((s, k) => s.shown && s.points.forEach((p, j) => {
      const d = Math.hypot(this.x(p[0]) - x, this.y(p[1]) - y);
      if (d < distance) { distance = d; best = [k, j]; }
    }));
    this.tell(distance < 90 ? best : null);
  }

  tell(at) {
    this.at = at;
    if (!this.ring) return;
    this.ring.setAttribute('visibility', at ? 'visible' : 'hidden');
    if (!at) { page.tip.hide(); return; }
    const s = this.data.series[at[0]], p = s.points[at[1]];
    const x = this.x(p[0]), y = this.y(p[1]), box = this.plot.getBoundingClientRect();
    this.ring.setAttribute('cx', x);
    this.ring.setAttribute('cy', y);
    const lines = [s.name, `${this.data.y}: ${page.number(p[1])}` + (p[2] ? ` ± ${+p[2].toPrecision(2)}` : ''),
      `${this.data.x_short || this.data.x.replace(/ \(.*/, '')}: ${page.number(p[0])}` + (p[3] ? `, load ${page.number(p[3])}` : '')];
    const printed = s.printed.find(q => Math.abs(q[0] - p[0]) < .006 * Math.max(1, Math.abs(p[0])));
    if (printed) lines.push('printed: ' + page.number(printed[1]));
    const scale = box.width / this.width;
    page.tip.show(box.left + x * scale, box.top + y * scale, lines);
  }

  key(event) {
    const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
    if (!step) return;
    event.preventDefault();
    const shown = this.data.series.map((s, k) => k).filter(k => this.data.series[k].shown && this.data.series[k].points.length);
    if (!shown.length) return;
    let [k, j] = this.at || [shown[0], -step[1]];
    const place = (shown.indexOf(k) + step[0] + shown.length) % shown.length, from = this.data.series[k].points[Math.max(j, 0)];
    if (step[0]) {
      k = shown[place];
      j = this.data.series[k].points.reduce((best, p, n, all) =>
        Math.abs(p[0] - from[0]) < Math.abs(all[best][0] - from[0]) ? n : best, 0);
    }
    j = Math.min(this.data.series[k].points.length - 1, Math.max(0, j + step[1]));
    this.tell([k, j]);
  }
};

for (const figure of document.querySelectorAll('figure.chart')) {
  const data = JSON.parse(figure.querySelector('.chart-data').textContent);
  if (data.series.length) new page.Chart(figure, data);
}
