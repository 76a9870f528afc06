/* SPDX-License-Identifier: GPL-3.0-or-later
   Tree saturation: what every buffer of the network holds at a moment, for all organisations side
   by side, as the simulator recorded it. Nothing is simulated here. */
'use strict';

page.Explorer = class {
  constructor(root, data) {
    this.root = root;
    this.data = data;
    this.frames = data.cycles / data.every;
    this.frame = Math.min(this.frames - 1, Math.round((data.on + 3 * data.off) / 4 / data.every) - 1);
    this.hot_only = false;
    this.playing = null;
    this.runs = data.runs.map((run, k) => this.decode(run, k));
    this.add_colours();
    this.networks = page.html('div', {class: 'networks'}, root);
    this.add_controls();
    this.runs.forEach(run => this.add_network(run));
    this.histories = [];
    const place = page.html('div', {class: 'histories'}, root);
    this.add_history(place, 'Throughput', 'packets per node and cycle', run => run.throughput);
    this.add_history(place, 'Mean latency of what is delivered', 'cycles', run => run.delay);
    this.add_history(place, 'Occupied slots', 'percent of all slots', run => run.fill);
    new ResizeObserver(() => this.draw_histories()).observe(place);
    this.show(this.frame);
  }

  /* ---- the recording ---- */

  decode(run, k) {
    const d = this.data, alphabet = {}, digits =
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let i = 0; i < 64; i++) alphabet[digits[i]] = i;
    const pairs = [];
    for (let p = 0; p <= run.slots; p++) for (let h = 0; h <= p; h++) pairs.push([p, h]);
    const width = pairs.length <= 64 ? 1 : 2, size = d.stages * run.buffers;
    run.name = run.buffer.toUpperCase();
    run.colour = `var(--s${page.families.includes(run.name) ? page.families.indexOf(run.name) : k})`;
    run.at = (frame, stage, buffer) => {
      const i = (frame * size + stage * run.buffers + buffer) * width, s = run.cells;
      return pairs[width === 1 ? alphabet[s[i]] : alphabet[s[i]] * 64 + alphabet[s[i + 1]]];
    };
    run.pool = run.buffers < d.nodes;
    run.totals = Array.from({length: this.frames}, (_, f) => {
      let sum = 0;
      for (let s = 0; s < d.stages; s++) for (let b = 0; b < run.buffers; b++) sum += run.at(f, s, b)[0];
      return sum;
    });
    /* means over some frames are what an eye can follow */
    const step = this.step = Math.max(1, Math.round(20 / d.every)), all = size * run.slots;
    run.throughput = []; run.delay = []; run.fill = [];
    for (let f = 0; f + step <= this.frames; f += step) {
      let packets = 0, latency = 0, filled = 0;
      for (let g = f; g < f + step; g++) {
        packets += run.delivered[g];
        latency += run.latency[g];
        filled += run.totals[g];
      }
      run.throughput.push(packets / d.nodes / (step * d.every));
      run.delay.push(packets ? latency / packets : null);
      run.fill.push(100 * filled / step / all);
    }
    return run;
  }

  cycle(frame) { return (frame + 1) * this.data.every; }
  /* of cells and links alike: 0 is none, 4 is full */
  level(part, whole) { return part === 0 ? 0 : Math.max(1, Math.min(4, Math.floor(4 * part / whole + 1e-9))); }

  /* ---- what can be touched ---- */

  add_colours() {
    const row = page.html('div', {class: 'row colours'}, this.root);
    const choice = page.html('span', {class: 'choice', role: 'radiogroup', 'aria-label': 'Colour'}, row);
    for (const [name, hot] of [['all packets', false], [`packets to node ${this.data.hot}`, true]]) {
      const label = page.html('label', {}, choice);
      const input = page.html('input', {type: 'radio', name: 'colour'}, label);
      input.checked = !hot;
      label.append(name);
      input.addEventListener('change', () => { this.hot_only = hot; this.show(this.frame); });
    }
    this.scale = page.html('span', {class: 'scale'}, row);
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
    const band = page.html('span', {class: 'band'}, track, 'hot spot on');
    band.style.left = 100 * d.on / d.cycles + '%';
    band.style.width = 100 * (d.off - d.on) / d.cycles + '%';
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
      rest += (now - last) / 1000 * 20 * +this.pace.value;
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
    const d = this.data, k = d.ports, row = 5, gap = 3, top = 16, wide = 26;
    const box = page.html('div', {class: 'network'}, this.networks);
    box.style.setProperty('--c', run.colour);
    page.html('h4', {}, box, run.name);
    run.now = page.html('p', {class: 'now'}, box);
    const height = top + d.nodes * row + (d.nodes / k - 1) * gap + 2, width = 212, right = 36;
    const svg = run.svg = page.svg('svg', {viewBox: `0 0 ${width} ${height}`, tabindex: 0, role: 'img',
      'aria-label': run.name + ': fullness of all buffers. The arrow keys go from buffer to buffer.'}, box);
    const y = line => top + line * row + Math.floor(line / k) * gap;
    const x = stage => 2 + stage * (width - wide - right) / (d.stages - 1);
    for (let s = 0; s < d.stages; s++)
      page.svg('text', {x: s ? x(s) + wide / 2 : x(0), y: 9, 'text-anchor': s ? 'middle' : 'start'}, svg, 'stage ' + (s + 1));
    run.links = [];
    d.tree.slice(1).forEach((links, s) => links.forEach(([from, to]) => {
      const last = s === d.stages - 1, x0 = x(s) + wide + 1, x1 = last ? width - 25 : x(s + 1) - 1;
      const y0 = y(from) + row / 2, y1 = last ? y(from) + row / 2 : y(to) + row / 2, m = (x0 + x1) / 2;
      run.links.push({stage: s, from, to, last, node: page.svg('path', {class: 'link',
        d: `M${x0} ${y0}C${m} ${y0} ${m} ${y1} ${x1} ${y1}`}, svg)});
    }));
    run.sink = page.svg('circle', {class: 'sink', cx: width - 20, cy: y(d.hot) + row / 2, r: 4.5}, svg);
    page.svg('text', {x: width - 17, y: y(d.hot) + row / 2 + 16, 'text-anchor': 'middle'}, svg, 'node ' + d.hot);
    run.rects = [];
    for (let s = 0; s < d.stages; s++) {
      for (let b = 0; b < run.buffers; b++) {
        const line = run.pool ? b * k : b;
        run.rects.push(page.svg('rect', {class: 'cell', x: x(s), y: y(line) + .4, width: wide, rx: 1,
          height: (run.pool ? k * row : row) - .8, 'data-stage': s, 'data-buffer': b}, svg));
      }
    }
    svg.addEventListener('pointermove', e => this.pick(run, e.target.closest('.cell')));
    svg.addEventListener('pointerdown', e => this.pick(run, e.target.closest('.cell')));
    svg.addEventListener('pointerleave', () => this.pick(run, null));
    svg.addEventListener('blur', () => this.pick(run, null));
    svg.addEventListener('keydown', e => this.key(run, e));
  }

  key(run, event) {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (!step) return;
    event.preventDefault();
    const at = run.picked ? [+run.picked.dataset.stage + step[0], +run.picked.dataset.buffer + step[1]] : [0, 0];
    const s = Math.min(this.data.stages - 1, Math.max(0, at[0]));
    const b = Math.min(run.buffers - 1, Math.max(0, at[1]));
    this.pick(run, run.rects[s * run.buffers + b]);
  }

  pick(run, cell) {
    if (run.picked && run.picked !== cell) run.picked.classList.remove('picked');
    run.picked = cell;
    if (!cell) { page.tip.hide(); return; }
    cell.classList.add('picked');
    const s = +cell.dataset.stage, b = +cell.dataset.buffer, [p, h] = run.at(this.frame, s, b);
    const at = cell.getBoundingClientRect(), k = this.data.ports;
    page.tip.show(at.right, at.top, [
      `${run.name}, stage ${s + 1}, switch ${run.pool ? b : Math.floor(b / k)}` + (run.pool ? '' : `, port ${b % k}`),
      `${p} of ${run.slots} slots hold packets`,
      `${h} of them to node ${this.data.hot}`]);
  }

  /* ---- a moment ---- */

  show(frame) {
    const d = this.data, t = this.cycle(frame), on = t > d.on && t <= d.off;
    this.frame = frame;
    this.slider.value = frame;
    const state = on ? 'hot spot on' : t <= d.on ? 'uniform traffic' : 'hot spot off again';
    this.slider.setAttribute('aria-valuetext', `cycle ${t}, ${state}`);
    this.time.replaceChildren();
    page.html('b', {}, this.time, `cycle ${t}`);
    this.time.append(' · ' + state);
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
    const d = this.data, f = this.frame;
    let k = 0;
    for (let s = 0; s < d.stages; s++) {
      for (let b = 0; b < run.buffers; b++, k++) {
        const level = this.level(run.at(f, s, b)[this.hot_only ? 1 : 0], run.slots), rect = run.rects[k];
        if (rect.level === level && rect.paint === paint) continue;
        rect.level = level;
        rect.paint = paint;
        rect.style.fill = `var(--${paint}${level})`;
      }
    }
    /* a link of the tree is as thick as what waits for node `hot` before it */
    for (const link of run.links) {
      let waits = 0;
      const sw = Math.floor(link.from / d.ports);
      for (let p = 0; p < (run.pool ? 1 : d.ports); p++)
        waits += run.at(f, link.stage, run.pool ? sw : sw * d.ports + p)[1];
      link.node.classList.toggle('busy', waits > 0);
      link.node.style.strokeWidth = waits ? Math.min(4, .8 + .4 * waits) : '';
    }
    run.sink.classList.toggle('busy', run.hot_delivered[f] > 0);
    const bin = Math.min(run.throughput.length - 1, Math.floor(f / this.step));
    const size = d.stages * run.buffers * run.slots;
    run.now.replaceChildren();
    page.html('b', {}, run.now, run.throughput[bin].toFixed(3));
    run.now.append(' delivered · ');
    page.html('b', {}, run.now, run.delay[bin] === null ? '–' : run.delay[bin].toFixed(0));
    run.now.append(' cycles · ');
    page.html('b', {}, run.now, Math.round(100 * run.totals[f] / size) + '%');
    run.now.append(' full');
    if (run.picked && !page.tip.box.hidden) this.pick(run, run.picked);
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
      page.tip.show(event.clientX, at.top + 20, [`cycles ${bin * this.step * this.data.every} to ` +
        (bin + 1) * this.step * this.data.every, ...this.runs.map(run =>
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
    const span = width - left - right, h = height - top - bottom;
    history.width = width; history.left = left; history.span = span;
    svg.replaceChildren();
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const most = Math.max(...this.runs.flatMap(run => history.of(run).filter(v => v !== null))) * 1.05;
    const x = t => left + t / d.cycles * span, y = v => top + h - v / most * h;
    page.svg('rect', {class: 'band', x: x(d.on), y: top, width: x(d.off) - x(d.on), height: h}, svg);
    for (const v of page.ticks(0, most, 3)) {
      page.svg('path', {class: 'grid', d: `M${left} ${y(v)}h${span}`}, svg);
      page.svg('text', {x: left - 5, y: y(v), dy: '.34em', 'text-anchor': 'end'}, svg, page.number(v));
    }
    for (const t of page.ticks(0, d.cycles, Math.max(2, span / 70)))
      page.svg('text', {x: x(t), y: height - 4, 'text-anchor': t === 0 ? 'start' : x(t) > width - 20 ? 'end' : 'middle'}, svg, t);
    this.runs.forEach((run, k) => {
      let path = '', pen = 'M';
      history.of(run).forEach((v, bin) => {
        if (v === null) { pen = 'M'; return; }
        path += pen + x((bin + .5) * this.step * d.every).toFixed(1) + ' ' + y(v).toFixed(1);
        pen = 'L';
      });
      page.svg('path', {class: 'line', d: path, 'stroke-dasharray': ['', '6 3', '2 3', '', '9 3 2 3'][k % 5],
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
