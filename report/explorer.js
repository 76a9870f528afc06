/* SPDX-License-Identifier: GPL-3.0-or-later
   What every store of a network holds at a moment, as the simulator recorded it: one network, or
   several side by side that were given the same packets. Where things are drawn is in the data
   (cli/explorer/layout.c). Nothing is simulated here. */
'use strict';

page.Explorer = class {
  constructor(root, data) {
    this.root = root;
    this.data = data;
    this.frames = Math.min(...data.runs.map(run => run.delivered.length));
    this.marks = data.hot !== undefined;
    this.frame = 0;
    this.words = this.words_of(data);
    if (data.on !== undefined)
      this.frame = Math.min(this.frames - 1, Math.round((data.on + 3 * data.off) / 4 / data.every) - 1);
    this.hot_only = false;
    this.playing = null;
    this.runs = data.runs.map((run, k) => this.decode(run, k));
    this.add_colours();
    this.networks = page.html('div', {class: 'networks' + (this.runs.length > 1 ? '' : ' alone')}, root);
    this.add_controls();
    this.runs.forEach(run => this.add_network(run));
    if (this.runs.length === 1) root.classList.add('solo'); /* networks beside histories */
    this.histories = [];
    const place = page.html('div', {class: 'histories'}, root);
    this.add_history(place, this.words.throughput, data.unit_throughput, run => run.throughput);
    this.add_history(place, this.words.latency, this.words.clock, run => run.delay);
    this.add_history(place, this.words.fill, this.words.filled, run => run.fill);
    if (data.waits) this.add_history(place, 'Waiting at the sources', 'packets', run => run.waits);
    if (data.loses) this.add_history(place, 'Discarded', this.words.lost, run => run.lost);
    if (data.runs.some(run => run.aside)) this.add_history(place, this.words.asides, this.words.where, run => run.asides);
    new ResizeObserver(() => this.draw_histories()).observe(place);
    this.show(this.frame);
  }

  /* The words of the page: those of a network in cycles, unless the data has others. */
  words_of(data) {
    return {throughput: 'Throughput', delivered: 'delivered', latency: 'Mean latency of what is delivered',
      lost: 'packets per node and cycle', clock: 'cycles', asides: 'Set-aside queues in use', where: 'in all buffers',
      framed: 'with set-aside queues', aside: 'set-aside queues in use', fill: `Occupied ${data.unit}`,
      filled: `percent of all ${data.unit}`, ...data.words};
  }

  /* ---- the recording ---- */

  decode(run, k) {
    const d = this.data, alphabet = {}, digits =
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let i = 0; i < 64; i++) alphabet[digits[i]] = i;
    const pairs = [], outputs = run.output_slots || 0, cells = run.layout.names.length;
    for (let p = 0; p <= Math.max(run.slots, outputs) && this.marks; p++)
      for (let h = 0; h <= p; h++) pairs.push([p, h]);
    const width = run.digits, inputs = run.inputs === undefined ? cells : run.inputs;
    run.name = run.buffer.toUpperCase();
    const place = page.place_of(run.name), taken = d.runs.map(other => page.place_of(other.buffer));
    const alike = d.runs.filter(other => other.buffer === run.buffer).length;
    const before = d.runs.slice(0, k).filter(other => other.buffer === run.buffer).length;
    const free = [0, 1, 2, 3, 4, 5, 6, 7].filter(p => !taken.includes(p));
    Object.assign(run, place < 0 ? page.style_at(free[k]) : page.style_at(place, before, alike, alike === d.runs.length));
    run.room = i => i < inputs ? run.slots : outputs;
    run.whole = run.all || inputs * run.slots + (cells - inputs) * outputs;
    /* a deadlock holds from the last frame in which a packet was delivered on */
    run.stuck = Infinity;
    if (run.deadlock) {
      run.stuck = this.frames - 1;
      while (run.stuck > 0 && !run.delivered[run.stuck]) run.stuck--;
    }
    run.at = (frame, i) => {
      let value = 0;
      for (let d = 0, c = (frame * cells + i) * width; d < width; d++, c++) value = value * 64 + alphabet[run.cells[c]];
      return this.marks ? pairs[value] : [value, 0];
    };
    run.saqs = (frame, i) => run.aside ? alphabet[run.aside[frame * cells + i]] : 0;
    run.totals = Array.from({length: this.frames}, (_, f) => {
      let sum = 0;
      for (let i = 0; i < cells; i++) sum += run.at(f, i)[0];
      return sum;
    });
    /* means over some frames are what an eye can follow */
    const step = this.step = Math.max(1, Math.min(Math.max(Math.round(20 / d.every), Math.ceil(this.frames / 120)), this.frames));
    run.throughput = []; run.delay = []; run.fill = []; run.waits = []; run.lost = []; run.asides = [];
    for (let f = 0; f + step <= this.frames; f += step) {
      let packets = 0, amount = 0, latency = 0, filled = 0, waits = 0, lost = 0, asides = 0;
      for (let g = f; g < f + step; g++) {
        packets += run.delivered[g];
        amount += (run.amount || run.delivered)[g];
        waits += run.waiting[g];
        lost += run.discarded ? run.discarded[g] : 0;
        latency += run.latency[g];
        filled += run.totals[g];
        for (let i = 0; run.aside && i < cells; i++) asides += run.saqs(g, i);
      }
      run.throughput.push(amount / d.nodes / (step * d.every));
      run.waits.push(waits / step);
      run.lost.push(d.words ? lost / step : lost / d.nodes / (step * d.every));
      run.asides.push(run.aside ? asides / step : null);
      run.delay.push(packets ? latency / packets : null);
      run.fill.push(100 * filled / step / run.whole);
    }
    return run;
  }

  band(cycle) { return this.data.bands.find(b => cycle > b.from && cycle <= b.until); }
  cycle(frame) { return (frame + 1) * this.data.every; }
  moment(t) { return this.words.clock === 'cycles' ? `cycle ${t}` : `${+t.toPrecision(6)} ${this.words.clock}`; }
  /* of cells and links alike: 0 is none, 4 is full */
  level(part, whole) { return part === 0 ? 0 : Math.max(1, Math.min(4, Math.floor(4 * part / whole + 1e-9))); }

  /* ---- what can be touched ---- */

  add_colours() {
    const row = page.html('div', {class: 'row colours'}, this.root);
    const choice = this.marks && page.html('span', {class: 'choice', role: 'radiogroup', 'aria-label': 'Colour'}, row);
    const sorts = [['all packets', false], [`packets to node ${this.data.hot}`, true]];
    for (const [name, hot] of sorts.slice(0, this.marks ? 2 : 0)) {
      const label = page.html('label', {}, choice);
      const input = page.html('input', {type: 'radio', name: 'colour'}, label);
      input.checked = !hot;
      label.append(name);
      input.addEventListener('change', () => { this.hot_only = hot; this.show(this.frame); });
    }
    this.scale = page.html('span', {class: 'scale'}, row);
    if (this.runs.some(run => run.aside)) page.html('span', {class: 'framed'}, row, 'framed: ' + this.words.framed);
  }

  add_controls() {
    const box = page.html('div', {class: 'controls', role: 'group', 'aria-label': 'Time'}, this.root);
    const row = page.html('div', {class: 'row'}, box);
    this.play = page.html('button', {type: 'button', class: 'play'}, row, '▶ Play');
    this.play.addEventListener('click', () => this.toggle());
    this.time = page.html('output', {class: 'time'}, row);
    this.pace = page.html('select', {'aria-label': 'Speed'}, row);
    for (const [name, value] of [['slow', 1], ['normal', 3], ['fast', 8]])
      page.html('option', {value}, this.pace, name);
    this.pace.value = '3';
    const track = page.html('div', {class: 'track'}, box), d = this.data;
    for (const {from, until, words} of d.bands.filter(b => b.shown)) {
      const band = page.html('span', {class: 'band'}, track, words);
      band.style.left = 100 * from / d.cycles + '%';
      band.style.width = 100 * (until - from) / d.cycles + '%';
    }
    this.slider = page.html('input', {type: 'range', min: 0, max: this.frames - 1, step: 1,
      'aria-label': 'Time'}, track);
    this.slider.addEventListener('input', () => { this.stop(); this.show(+this.slider.value); });
  }

  toggle() {
    if (this.playing) { this.stop(); return; }
    if (this.frame >= this.frames - 1) this.show(0);
    this.play.textContent = '❚❚ Pause';
    let last = performance.now(), rest = 0;
    const go = now => {
      rest += Math.max(0, now - last) / 1000 * 20 * +this.pace.value; /* a frame may have begun before */
      last = now;
      const steps = Math.floor(rest);
      rest -= steps;
      if (steps) this.show(Math.min(this.frames - 1, this.frame + steps));
      if (this.frame >= this.frames - 1) this.stop();
      else this.playing = requestAnimationFrame(go);
    };
    this.playing = requestAnimationFrame(go);
  }

  stop() {
    if (this.playing) cancelAnimationFrame(this.playing);
    this.playing = null;
    this.play.textContent = '▶ Play';
  }

  /* ---- a network ---- */

  add_network(run) {
    const l = run.layout, c = l.cells;
    const box = page.html('div', {class: 'network'}, this.networks);
    box.style.setProperty('--c', run.colour);
    page.html('h4', {}, box, run.name);
    run.now = page.html('p', {class: 'now'}, box);
    const svg = run.svg = page.svg('svg', {viewBox: `0 0 ${l.width} ${l.height}`, tabindex: 0, role: 'img',
      'aria-label': run.name + ': fullness of all buffers. The arrow keys go from buffer to buffer.'}, box);
    page.svg('path', {class: 'link', d: l.wires}, svg);
    for (let i = 0; i < l.boxes.length; i += 4)
      page.svg('rect', {class: 'switch', x: l.boxes[i], y: l.boxes[i + 1], width: l.boxes[i + 2], height: l.boxes[i + 3]}, svg);
    for (const [x, y, anchor, text] of l.labels) page.svg('text', {x, y, 'text-anchor': anchor}, svg, text);
    run.links = (l.ways || []).map(([path, cells]) => ({cells, node: page.svg('path', {class: 'link', d: path}, svg)}));
    if (l.sink) run.sink = page.svg('circle', {class: 'sink', cx: l.sink[0], cy: l.sink[1], r: 4.5}, svg);
    run.rects = l.names.map((_, i) => page.svg('rect', {class: 'cell', x: c[4 * i], y: c[4 * i + 1],
      width: c[4 * i + 2], height: c[4 * i + 3], rx: Math.min(1, c[4 * i + 3] / 4)}, svg));
    new ResizeObserver(() => svg.style.setProperty('--units',
      Math.max(l.width / svg.clientWidth, l.height / svg.clientHeight))).observe(svg);
    const point = event => this.pick(run, this.cell_near(run, event));
    svg.addEventListener('pointermove', point);
    svg.addEventListener('pointerdown', point);
    svg.addEventListener('pointerleave', event => { if (event.pointerType !== 'touch') this.pick(run, -1); });
    svg.addEventListener('blur', () => this.pick(run, -1));
    svg.addEventListener('keydown', e => this.key(run, e));
  }

  /* The cell at a place in the window, or the nearest one within a finger's breadth; -1: none. */
  cell_near(run, event) {
    const l = run.layout, c = l.cells, way = run.svg.getScreenCTM().inverse(), scale = way.a;
    const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(way);
    let best = -1, least = (10 * scale) ** 2;
    for (let i = 0; i < run.rects.length; i++) {
      const dx = Math.max(c[4 * i] - x, 0, x - c[4 * i] - c[4 * i + 2]);
      const dy = Math.max(c[4 * i + 1] - y, 0, y - c[4 * i + 1] - c[4 * i + 3]);
      if (dx * dx + dy * dy < least) { least = dx * dx + dy * dy; best = i; }
    }
    return best;
  }

  /* To the next cell in that direction: near, and least to the side. */
  key(run, event) {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (!step) return;
    event.preventDefault();
    const c = run.layout.cells, from = run.picked;
    if (!(from >= 0)) { this.pick(run, 0); return; }
    const middle = i => [c[4 * i] + c[4 * i + 2] / 2, c[4 * i + 1] + c[4 * i + 3] / 2];
    const [x, y] = middle(from);
    let best = from, least = Infinity;
    for (let i = 0; i < run.rects.length; i++) {
      const [u, v] = middle(i), ahead = (u - x) * step[0] + (v - y) * step[1];
      const aside = Math.abs((u - x) * step[1] + (v - y) * step[0]), far = ahead + 3 * aside;
      if (ahead > 0.5 && far < least) { least = far; best = i; }
    }
    this.pick(run, best);
  }

  pick(run, i) {
    if (run.picked >= 0 && run.picked !== i) run.rects[run.picked].classList.remove('picked');
    run.picked = i;
    if (i < 0) { page.tip.hide(); return; }
    const cell = run.rects[i], d = this.data, [p, h] = run.at(this.frame, i), at = cell.getBoundingClientRect();
    cell.classList.add('picked');
    page.tip.show(at.right, at.top, [`${run.name}, ${run.layout.names[i]}`,
      `${p} of ${run.room(i)} ${d.unit} ${d.verb}`, ...(this.marks ? [`${h} of them to node ${d.hot}`] : []),
      ...(run.aside ? [`${this.words.aside}: ${run.saqs(this.frame, i)}`] : [])]);
  }

  /* ---- a moment ---- */

  show(frame) {
    const t = this.cycle(frame), band = this.band(t), stuck = this.runs.some(run => frame >= run.stuck);
    const state = stuck ? 'deadlock' : band ? band.words : '';
    this.frame = frame;
    this.slider.value = frame;
    this.slider.setAttribute('aria-valuetext', `${this.moment(t)}, ${state}`);
    this.time.replaceChildren();
    page.html('b', {}, this.time, this.moment(t));
    if (state) this.time.append(' · ' + state);
    const paint = this.hot_only ? 'h' : 'f';
    if (this.painted !== paint) this.add_scale(paint);
    for (const run of this.runs) this.show_network(run, paint);
    for (const history of this.histories) history.move();
  }

  add_scale(paint) {
    this.painted = paint;
    this.scale.replaceChildren('empty');
    const steps = page.html('span', {}, this.scale);
    for (let k = 0; k < 5; k++) page.html('i', {}, steps).style.background = `var(--${paint}${k})`;
    this.scale.append('full');
  }

  show_network(run, paint) {
    const f = this.frame;
    run.rects.forEach((rect, i) => {
      const level = this.level(run.at(f, i)[this.hot_only ? 1 : 0], run.room(i));
      const aside = run.saqs(f, i);
      if (rect.aside !== aside) { /* a frame, thicker with more set-aside queues */
        rect.aside = aside;
        rect.classList.toggle('aside', aside > 0);
        rect.style.strokeWidth = aside ? Math.min(2.2, 0.5 + 0.35 * aside) : '';
      }
      if (rect.level === level && rect.paint === paint) return;
      rect.level = level;
      rect.paint = paint;
      rect.style.fill = `var(--${paint}${level})`;
    });
    /* a link of the tree is as thick as what waits for node `hot` before it */
    for (const link of run.links) {
      const waits = link.cells.reduce((sum, i) => sum + run.at(f, i)[1], 0);
      link.node.classList.toggle('busy', waits > 0);
      link.node.style.strokeWidth = waits ? Math.min(4, .8 + .4 * waits) : '';
    }
    if (run.sink && run.hot_delivered) run.sink.classList.toggle('busy', run.hot_delivered[f] > 0);
    const bin = Math.min(run.throughput.length - 1, Math.floor(f / this.step));
    run.now.replaceChildren();
    page.html('b', {}, run.now, run.throughput[bin].toFixed(3));
    run.now.append(` ${this.words.delivered} · `);
    page.html('b', {}, run.now, run.delay[bin] === null ? '–' : run.delay[bin].toFixed(0));
    run.now.append(` ${this.words.clock} · `);
    page.html('b', {}, run.now, Math.round(100 * run.totals[f] / run.whole) + '%');
    run.now.append(' full');
    if (f >= run.stuck) page.html('b', {class: 'differs'}, run.now, ' · deadlock');
    if (run.picked >= 0 && !page.tip.box.hidden) this.pick(run, run.picked);
  }

  /* ---- over time ---- */

  add_history(place, title, unit, of) {
    const figure = page.html('figure', {}, place);
    const caption = page.html('figcaption', {}, figure);
    page.html('b', {}, caption, title);
    caption.append(', ' + unit);
    const svg = page.svg('svg', {class: 'plot', role: 'img', 'aria-label': title + ' over time, ' + unit}, figure);
    const history = {figure, svg, of, unit, title, width: 0, move() {}};
    const go = event => {
      const at = svg.getBoundingClientRect(), x = (event.clientX - at.left) * history.width / at.width;
      const t = (x - history.left) / history.span * this.data.cycles;
      const frame = Math.round(Math.min(this.frames - 1, Math.max(0, t / this.data.every - 1)));
      const bin = Math.min(this.runs[0].throughput.length - 1, Math.floor(frame / this.step));
      if (event.buttons || event.type === 'pointerdown') { this.stop(); this.show(frame); }
      page.tip.show(event.clientX, at.top + 20, [`${this.words.clock} ${+(bin * this.step * this.data.every).toPrecision(6)} to ` +
        +((bin + 1) * this.step * this.data.every).toPrecision(6), ...this.runs.map(run =>
        `${run.name}  ${of(run)[bin] === null ? '–' : +of(run)[bin].toPrecision(3)}`)]);
    };
    svg.addEventListener('pointermove', go);
    svg.addEventListener('pointerdown', go);
    svg.addEventListener('pointerleave', () => page.tip.hide());
    this.histories.push(history);
  }

  draw_histories() {
    for (const history of this.histories) {
      const width = Math.round(history.figure.clientWidth);
      if (width && width !== history.width) this.draw_history(history, width);
    }
  }

  draw_history(history, width) {
    const d = this.data, svg = history.svg, left = 34, right = 6, top = 8, bottom = 20, height = 150;
    const span = width - left - right, h = height - top - bottom, start = d.start || 0;
    history.width = width; history.left = left; history.span = span;
    svg.replaceChildren();
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const most = Math.max(...this.runs.flatMap(run => history.of(run).filter(v => v !== null)), 0) * 1.05 || 1;
    const x = t => left + (t - start) / d.cycles * span, y = v => top + h - v / most * h;
    for (const {from, until} of d.bands.filter(b => b.shown))
      page.svg('rect', {class: 'band', x: x(from), y: top, width: x(until) - x(from), height: h}, svg);
    for (const v of page.ticks(0, most, 3)) {
      page.svg('path', {class: 'grid', d: `M${left} ${y(v)}h${span}`}, svg);
      page.svg('text', {x: left - 5, y: y(v), dy: '.34em', 'text-anchor': 'end'}, svg, page.number(v));
    }
    for (const t of page.ticks(start, start + d.cycles, Math.max(2, span / 70)))
      page.svg('text', {x: x(t), y: height - 4, 'text-anchor': t === start ? 'start' : x(t) > width - 20 ? 'end' : 'middle'}, svg, t);
    this.runs.forEach((run, k) => {
      let path = '', pen = 'M';
      history.of(run).forEach((v, bin) => {
        if (v === null) { pen = 'M'; return; }
        path += pen + x(start + (bin + .5) * this.step * d.every).toFixed(1) + ' ' + y(v).toFixed(1);
        pen = 'L';
      });
      page.svg('path', {class: 'line', d: path, 'stroke-dasharray': run.dash,
        style: `stroke:${run.colour}` + (run.name === 'DAMQ' ? ';stroke-width:2.4' : '')}, svg);
    });
    const cursor = page.svg('path', {class: 'cursor'}, svg);
    history.move = () => cursor.setAttribute('d', `M${x(this.cycle(this.frame)).toFixed(1)} ${top - 4}v${h + 8}`);
    history.move();
  }
};

for (const root of document.querySelectorAll('.explorer')) {
  const data = JSON.parse(root.querySelector('.explorer-data').textContent);
  page.explorer = new page.Explorer(root, data);
}
