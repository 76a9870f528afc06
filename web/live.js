/* SPDX-License-Identifier: GPL-3.0-or-later
   The live explorer: networks that are simulated while one looks, by the engine of the program as
   WebAssembly (web/live.c). They are drawn as the report's recorded ones are (report/explorer.js):
   a run's arrays have one moment, now. */
'use strict';

/* As in live.h. */
const COUNT = {created: 0, delivered: 1, discarded: 2, latency: 3, cycle: 4, waiting: 5, nodes: 6, hot: 7};
const BUFFERS = ['fifo', 'samq', 'safc', 'damq', 'dafc', 'cbda'];
const SEED = 1, BIN = 20 /* cycles per point of the plots */, BINS = 60;

class Engine {
  constructor(module) {
    this.module = module;
    this.make = module.cwrap('live_new', 'number', ['string', ...Array(5).fill('number')]);
    this.solve_ = module.cwrap('live_solve', 'number', ['string', ...Array(5).fill('number')]);
    this.sim_ = module.cwrap('live_sim', 'number', ['string', ...Array(6).fill('number')]);
    this.answer = module._malloc(6 * 8);
  }

  /* choice: slots, blocks, load, hot. */
  network(buffer, choice) {
    const at = this.make(buffer, choice.slots, +choice.blocks, choice.load, choice.hot, SEED), m = this.module;
    if (!at) throw new Error(m.UTF8ToString(m._live_message()));
    const array = (from, size) => m.HEAPU16.subarray(from / 2, from / 2 + size);
    return {
      slots: m._live_slots(at),
      run: cycles => m._live_run(at, cycles),
      traffic: (load, hot) => m._live_traffic(at, load, hot),
      count: what => m._live_count(at, COUNT[what]),
      /* the packets in each buffer, and those among them for the hot node */
      look: () => { const size = m._live_look(at); return [array(m._live_held(at), size), array(m._live_marked(at), size)]; },
      free: () => m._live_free(at),
    };
  }

  /* A whole run, as by `switchq sim`: means with half-widths. */
  sim(buffer, choice) {
    const m = this.module;
    if (this.sim_(buffer, choice.slots, +choice.blocks, choice.load, choice.hot, SEED, this.answer))
      throw new Error(m.UTF8ToString(m._live_message()));
    const all = Array.from(m.HEAPF64.subarray(this.answer / 8, this.answer / 8 + 6));
    return {throughput: all.slice(0, 2), latency: all.slice(2, 4), discarded: all.slice(4, 6)};
  }

  /* A 2x2 switch: discard, throughput, delay, states; null if it cannot be solved. */
  solve(buffer, choice) {
    const m = this.module;
    if (this.solve_(buffer, 4, +choice.blocks, choice.load, choice.hot, this.answer)) return null;
    const [discard, throughput, delay, states] = m.HEAPF64.subarray(this.answer / 8, this.answer / 8 + 4);
    return {discard, throughput, delay, states};
  }
}

class Live {
  constructor(root, engine) {
    this.root = root;
    root.className = 'explorer'; /* set here, as there is no recording for the report's script to show */
    this.engine = engine;
    this.form = document.querySelector('.choices');
    /* the fields that the drawing uses */
    this.data = {hot: 0, unit: 'slots', verb: 'hold packets', cycles: BIN * BINS, every: BIN, start: 0, bands: []};
    this.words = this.words_of(this.data);
    this.marks = true;
    this.hot_only = false;
    this.frame = 0;
    this.step = 1;
    this.runs = [];
    this.histories = [];
    this.add_form();
    this.add_colours();
    this.networks = page.html('div', {class: 'networks'}, root);
    this.add_controls();
    this.place = page.html('div', {class: 'histories'}, root);
    this.add_history(this.place, this.words.throughput, 'packets per node and cycle', run => run.past.throughput);
    this.add_history(this.place, this.words.latency, this.words.clock, run => run.past.delay);
    this.add_history(this.place, this.words.fill, this.words.filled, run => run.past.fill);
    this.add_history(this.place, 'Lost', this.words.lost, run => run.past.lost);
    new ResizeObserver(() => this.draw_histories()).observe(this.place);
    document.querySelector('.go').addEventListener('click', () => this.measure());
    this.restart();
  }

  choice() {
    const of = this.form.elements;
    return {slots: +of.slots.value, blocks: of.flow.value === 'block', load: +of.load.value, hot: +of.hot.value,
      buffers: BUFFERS.filter(buffer => of[buffer].checked)};
  }

  /* ---- what can be touched ---- */

  add_form() {
    const set = this.form.querySelector('fieldset');
    for (const buffer of BUFFERS) {
      const label = page.html('label', {}, set);
      page.html('input', {type: 'checkbox', name: buffer}, label).checked = buffer === 'fifo' || buffer === 'damq';
      label.append(' ' + buffer.toUpperCase());
    }
    this.form.hidden = false;
    this.form.addEventListener('submit', event => event.preventDefault());
    this.form.addEventListener('input', event => {
      if (event.target.type !== 'range') { this.restart(); return; }
      const c = this.choice();
      for (const run of this.runs) run.net.traffic(c.load, c.hot);
      this.tell();
    });
  }

  add_controls() {
    const box = page.html('div', {class: 'controls', role: 'group', 'aria-label': 'Time'}, this.root);
    const row = page.html('div', {class: 'row'}, box);
    const button = (text, name, act) => {
      const made = page.html('button', {type: 'button', class: name}, row, text);
      made.addEventListener('click', act);
      return made;
    };
    this.play = button('▶ Play', 'play', () => this.toggle());
    button('Step', 'step', () => { this.pause(); this.advance(1); });
    button('Empty', 'empty', () => this.restart());
    this.time = page.html('output', {class: 'time'}, row);
    this.pace = page.html('select', {'aria-label': 'Speed'}, row);
    for (const [name, value] of [['slow', 10], ['normal', 60], ['fast', 300], ['very fast', 2000]])
      page.html('option', {value}, this.pace, name);
    this.pace.value = '60';
  }

  toggle() {
    if (this.playing) { this.pause(); return; }
    this.play.textContent = '❚❚ Pause';
    let last = performance.now(), rest = 0;
    const go = now => {
      rest = Math.min(rest + Math.max(0, now - last) / 1000 * +this.pace.value, +this.pace.value / 5);
      last = now;
      const cycles = Math.floor(rest);
      rest -= cycles;
      if (cycles) this.advance(cycles);
      this.playing = requestAnimationFrame(go);
    };
    this.playing = requestAnimationFrame(go);
  }

  pause() {
    if (this.playing) cancelAnimationFrame(this.playing);
    this.playing = null;
    this.play.textContent = '▶ Play';
  }

  /* ---- networks ---- */

  restart() {
    const c = this.choice();
    this.runs.forEach(run => run.net.free());
    this.networks.replaceChildren();
    this.networks.style.maxWidth = 320 * c.buffers.length + 'px';
    this.data.start = 0;
    this.runs = c.buffers.map(buffer => this.run_of(buffer, c));
    this.runs.forEach(run => this.add_network(run));
    this.tell();
    this.show();
    this.redraw();
  }

  run_of(buffer, c) {
    const net = this.engine.network(buffer, c), layout = layouts[buffer === 'cbda' ? 'pools' : 'ports'];
    const run = {net, buffer, layout, name: buffer.toUpperCase(), slots: net.slots, inputs: layout.names.length,
      throughput: [0], delay: [null], totals: [0], hot_delivered: [0],
      past: {throughput: [], delay: [], fill: [], lost: []}};
    Object.assign(run, page.style_at(page.place_of(run.name)));
    run.room = () => net.slots;
    run.whole = layout.names.length * net.slots;
    run.saqs = () => 0;
    run.at = (frame, i) => [run.now_held[i], run.now_marked[i]];
    run.since = this.counts(net);
    return run;
  }

  counts(net) {
    const now = {};
    for (const what of ['delivered', 'discarded', 'latency', 'hot']) now[what] = net.count(what);
    return now;
  }

  cycle() { return this.runs.length ? this.runs[0].net.count('cycle') : 0; }

  /* Runs that many cycles; the plots get a point after every BIN. */
  advance(cycles) {
    if (!this.runs.length) return;
    while (cycles > 0) {
      const steps = Math.min(cycles, BIN - this.cycle() % BIN);
      for (const run of this.runs) {
        const before = run.net.count('hot');
        run.net.run(steps);
        run.hot_delivered = [run.net.count('hot') - before];
      }
      cycles -= steps;
      if (this.cycle() % BIN === 0) this.end_bin();
    }
    this.show();
  }

  end_bin() {
    for (const run of this.runs) {
      const now = this.counts(run.net), since = run.since, of = what => now[what] - since[what], past = run.past;
      const nodes = run.net.count('nodes'), all = run.net.look()[0].reduce((sum, held) => sum + held, 0);
      run.since = now;
      run.throughput = [of('delivered') / nodes / BIN];
      run.delay = [of('delivered') ? of('latency') / of('delivered') : null];
      past.throughput.push(run.throughput[0]);
      past.delay.push(run.delay[0]);
      past.fill.push(100 * all / run.whole);
      past.lost.push(of('discarded') / nodes / BIN);
      if (past.fill.length > BINS) for (const list of Object.values(past)) list.shift();
    }
    this.data.start = Math.max(0, this.cycle() - BIN * BINS);
    this.stale = true;
  }

  show() {
    const paint = this.hot_only ? 'h' : 'f';
    this.time.replaceChildren();
    page.html('b', {}, this.time, `cycle ${this.cycle()}`);
    if (this.painted !== paint) this.add_scale(paint);
    for (const run of this.runs) {
      [run.now_held, run.now_marked] = run.net.look();
      run.totals = [run.now_held.reduce((sum, held) => sum + held, 0)];
      this.show_network(run, paint);
    }
    if (this.stale) this.redraw();
  }

  /* ---- plots of the last cycles ---- */

  add_history(place, title, unit, of) {
    const figure = page.html('figure', {}, place), caption = page.html('figcaption', {}, figure);
    page.html('b', {}, caption, title);
    caption.append(', ' + unit);
    const svg = page.svg('svg', {class: 'plot', role: 'img', 'aria-label': `${title} in the last cycles, ${unit}`}, figure);
    const history = {figure, svg, of, unit, title, width: 0, move() {}};
    svg.addEventListener('pointermove', event => {
      const at = svg.getBoundingClientRect(), x = (event.clientX - at.left) * history.width / at.width;
      const bin = Math.floor((x - history.left) / history.span * BINS), from = this.data.start + bin * BIN;
      if (!this.runs.length || !(bin >= 0 && bin < of(this.runs[0]).length)) { page.tip.hide(); return; }
      page.tip.show(event.clientX, at.top + 20, [`cycles ${from} to ${from + BIN}`,
        ...this.runs.map(run => `${run.name}  ${of(run)[bin] === null ? '–' : +of(run)[bin].toPrecision(3)}`)]);
    });
    svg.addEventListener('pointerleave', () => page.tip.hide());
    this.histories.push(history);
  }

  redraw() {
    this.stale = false;
    for (const history of this.histories) if (history.width) this.draw_history(history, history.width);
  }

  /* ---- numbers ---- */

  /* Shows what follows from load and hot spot alone, and the exact switches. */
  tell() {
    const c = this.choice(), of = this.form.elements, percent = value => +(100 * value).toPrecision(4) + '%';
    const hot = 64 * c.load * (c.hot + (1 - c.hot) / 64);
    of.load_now.value = `${c.load.toFixed(2)} packets per node and cycle`;
    of.hot_now.value = c.hot ? `${Math.round(100 * c.hot)}% of all packets to node 0, on top of its share` : 'none';
    document.querySelector('.offered').textContent = `Node 0 is sent ${hot.toFixed(2)} packets a cycle, and its link carries one` +
      (hot > 1 ? ': whatever the buffers, no more than ' + (c.load / hot).toFixed(3) + ' packets per node and cycle get through for long.' : '.');
    const body = document.querySelector('.exact tbody');
    body.replaceChildren();
    for (const buffer of c.buffers) {
      const a = this.engine.solve(buffer, c), row = page.html('tr', {}, body);
      const cells = a ? [c.blocks ? '–' : percent(a.discard), a.throughput.toFixed(9), a.delay.toFixed(6), a.states] : ['–', '–', '–', '–'];
      for (const cell of [buffer.toUpperCase(), ...cells]) page.html('td', {}, row, String(cell));
    }
  }

  measure() {
    const c = this.choice(), table = document.querySelector('.measure table'), body = table.querySelector('tbody');
    const of = ([mean, half]) => `${+mean.toPrecision(6)} ± ${isFinite(half) ? +half.toPrecision(2) : '?'}`;
    body.replaceChildren();
    table.hidden = false;
    for (const buffer of c.buffers) {
      const row = page.html('tr', {}, body), a = this.engine.sim(buffer, c);
      for (const cell of [buffer.toUpperCase(), of(a.throughput), of(a.latency), c.blocks ? '–' : of(a.discarded)])
        page.html('td', {}, row, cell);
      page.html('code', {}, page.html('td', {}, row), `switchq sim --buffer ${buffer} --slots ${c.slots} ` +
        `--flow ${c.blocks ? 'block' : 'discard'} --load ${c.load}` + (c.hot ? ` --traffic hotspot:${c.hot}` : ''));
    }
  }
}
/* inherits the drawing, but not Explorer's constructor, which needs a recording */
Object.setPrototypeOf(Live.prototype, page.Explorer.prototype);

Switchq().then(module => { page.live = new Live(document.getElementById('live'), new Engine(module)); });
