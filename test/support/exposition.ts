/** Reads Prometheus's text format 0.0.4 strictly: whatever a scrape could stumble over is an error. */
export type Sample = { name: string; labels: Record<string, string>; value: number };
export type Family = { name: string; type: string; help: string; samples: Sample[] };

const metricName = /^[a-zA-Z_:][\w:]*$/;
const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const labelPart = /^([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;
const suffixes: Record<string, string[]> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/** @throws Error with the line that does not fit */
export function readExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let current: Family | undefined;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (!metricName.test(name) || families.has(name) || rest === '') throw new Error(line);
      current = { name, type: '', help: rest, samples: [] };
      families.set(name, current);
    } else if (kind === 'TYPE') {
      if (current?.name !== name || current.type !== '') throw new Error(`TYPE without its HELP: ${line}`);
      if (!['counter', 'gauge', 'histogram', 'summary'].includes(rest)) throw new Error(line);
      current.type = rest;
    } else {
      const sample = readSample(line);
      const allowed = (suffixes[current?.type ?? ''] ?? ['']).map((suffix) => `${current?.name}${suffix}`);
      if (!allowed.includes(sample.name)) throw new Error(`a sample outside its family: ${line}`);
      const series = line.slice(0, line.lastIndexOf(' '));
      if (seen.has(series)) throw new Error(`twice: ${series}`);
      seen.add(series);
      current?.samples.push(sample);
    }
  }
  return families;
}

function readSample(line: string): Sample {
  const [, name, inner = '', number = ''] = sampleLine.exec(line) ?? [];
  if (name === undefined) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  for (let rest = inner; rest !== '';) {
    const [whole, label = '', value = ''] = labelPart.exec(rest) ?? [];
    if (whole === undefined || label in labels) throw new Error(`labels: ${line}`);
    labels[label] = value;
    rest = rest.slice(whole.length);
  }
  const value = number === '+Inf' ? Infinity : number === 'Nan' ? NaN : Number(number);
  if (Number.isNaN(value) && number !== 'Nan') throw new Error(`no number: ${line}`);
  return { name, labels, value };
}

/** The sum over all series that have these labels. */
export function valueOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Record<string, string> = {},
): number {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''));
  if (family === undefined) throw new Error(`no metric ${name}`);
  const fitting = family.samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return fitting.reduce((sum, { value }) => sum + value, 0);
}
