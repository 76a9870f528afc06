#!/usr/bin/env node
/* SPDX-License-Identifier: GPL-3.0-or-later
   The engines as WebAssembly against the program: the same options and seed give the same numbers,
   to the last digit.

   usage: test.js SWITCHQ BUILD/web/switchq.js */
'use strict';
const {execFileSync} = require('child_process'), path = require('path');
const [program, module_] = process.argv.slice(2);
let checks = 0, wrong = 0;

function same(what, left, right) {
  checks++;
  if (Object.is(left, right)) return;
  wrong++;
  console.log(`${what}: ${left} in WebAssembly, ${right} natively`);
}

function asked(...words) {
  return JSON.parse(execFileSync(program, [...words, '--json'], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']}));
}

/* NaN where the program has no interval. */
function half(estimate) {
  return (estimate.half_width ?? NaN).toPrecision(9);
}

require(path.resolve(module_))().then(m => {
  const numbers = count => Array(count).fill('number');
  const make = m.cwrap('live_new', 'number', ['string', ...numbers(5)]);
  const sim = m.cwrap('live_sim', 'number', ['string', ...numbers(6)]);
  const solve = m.cwrap('live_solve', 'number', ['string', ...numbers(5)]);
  const at = m._malloc(6 * 8), answer = count => Array.from(m.HEAPF64.subarray(at / 8, at / 8 + count));
  const must = status => { if (status) throw new Error(m.UTF8ToString(m._live_message())); };

  for (const buffer of ['fifo', 'samq', 'safc', 'damq', 'dafc', 'cbda']) {
    for (const [flow, load, hot, slots, seed] of [['block', 0.3, 0, 4, 1], ['block', 0.9, 0, 8, 7],
      ['discard', 0.6, 0.05, 4, 3], ['block', 0.35, 0.05, 20, 4294967295], ['discard', 1, 0, 4, 2]]) {
      const what = `${buffer}, ${slots} slots, ${flow}, load ${load}, hot spot ${hot}, seed ${seed}`;
      const words = ['--buffer', buffer, '--slots', slots, '--flow', flow, '--load', load,
        ...(hot ? ['--traffic', 'hotspot:' + hot] : [])], blocks = +(flow === 'block');
      must(sim(buffer, slots, blocks, load, hot, seed, at));
      const run = answer(6), a = asked('sim', ...words, '--seed', seed).result;
      same(what + ': throughput', run[0], a.throughput.mean);
      same(what + ': latency', run[2], a.latency_cycles.mean);
      /* quantiles come from other code: web/quantiles.c */
      same(what + ': interval of throughput', run[1].toPrecision(9), half(a.throughput));
      same(what + ': interval of latency', run[3].toPrecision(9), half(a.latency_cycles));
      if (flow === 'discard') same(what + ': discarded', run[4], a.discard_fraction.mean);

      /* the network that is watched is the one that is measured */
      const net = make(buffer, slots, blocks, load, hot, seed), count = k => m._live_count(net, k);
      m._live_run(net, 500);
      const b = asked('sim', ...words, '--seed', seed, '--warmup', 0, '--cycles', 500).result;
      same(what + ': live throughput', (count(1) / 500 / count(6)).toPrecision(14), b.throughput.mean.toPrecision(14));
      same(what + ': live latency', (count(3) / count(1)).toPrecision(14), b.latency_cycles.mean.toPrecision(14));
      m._live_free(net);

      if (slots > 4 || load === 1) continue;
      must(solve(buffer, slots, blocks, load, hot, at));
      const [discard, throughput, delay, states] = answer(4), e = asked('solve', ...words);
      same(what + ': states', states, e.chain.states);
      /* its long double has more bits than the native one, so the last bits may differ */
      same(what + ': exact throughput', throughput.toPrecision(14), e.result.throughput.toPrecision(14));
      same(what + ': exact delay', delay.toPrecision(13), e.result.mean_delay_cycles.toPrecision(13));
      if (flow === 'discard') same(what + ': exact loss', discard.toPrecision(13), e.result.discard_probability.toPrecision(13));
    }
  }
  same('a buffer that is not there', make('none', 4, 1, 0.5, 0, 1), 0);
  same('its message names it', m.UTF8ToString(m._live_message()).includes('none'), true);
  console.log(`${checks - wrong} of ${checks} numbers are the same`);
  process.exitCode = wrong ? 1 : 0;
}).catch(error => {
  console.error(String(error).slice(0, 2000));
  process.exitCode = 1;
});
