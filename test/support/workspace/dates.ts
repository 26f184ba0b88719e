/** Dates as the service takes, stores and returns them: without seconds, and with an offset instead of a time zone. */
import { invalid, shouldBe } from './errors.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

const iso =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d(?::?\d\d)?(?::?\d\d)?)?)?$/;
const minuteMs = 60_000;

/**
 * @param owner the property's id, as the service names it in its refusal
 * @throws ApiError for what is no date, and for a time zone beside a date without a time
 */
export function dateValue(value: Json, path: string, owner: string): JsonObject {
  if (!isObject(value)) throw shouldBe(path, 'an object or `null`', value);
  const { start, end = null, time_zone: zone = null } = value;
  if (!isDate(start)) throw shouldBe(`${path}.start`, 'a valid ISO 8601 date string', start);
  if (end !== null && !isDate(end))
    throw shouldBe(`${path}.end`, 'a valid ISO 8601 date string, `null`, or `undefined`', end);
  if (zone === null) return { start: shownDate(start), end: end && shownDate(end), time_zone: null };
  if (typeof zone !== 'string' || !isZone(zone))
    throw shouldBe(`${path}.time_zone`, 'a valid IANA time zone', zone);
  if (!start.includes('T') || (end !== null && !end.includes('T')))
    throw invalid(
      `${owner} has an invalid date. If time zone is explicitly provided, start and end must contain date and time`,
    );
  return { start: shownDate(start, zone), end: end && shownDate(end, zone), time_zone: null };
}

function isDate(value: Json | undefined): value is string {
  const parts = typeof value === 'string' ? iso.exec(value) : null;
  if (parts === null) return false;
  const [year, month, day, hours, minutes] = parts
    .slice(1, 6)
    .map((part: string | undefined) => Number(part ?? 0));
  const at = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day, hours, minutes));
  return (
    at.getUTCMonth() + 1 === month && at.getUTCDate() === day && (hours ?? 0) < 24 && (minutes ?? 0) < 60
  );
}

/** A moment with the zone's offset at that moment; without an offset and a zone it is one of UTC. */
function shownDate(text: string, zone = 'UTC'): string {
  const [, year, month, day, hours, minutes, offset] = iso.exec(text) ?? [];
  if (hours === undefined) return text;
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hours), Number(minutes));
  if (offset !== undefined && offset !== 'Z' && zone === 'UTC') return written(local, offsetMinutes(offset));
  if (offset !== undefined) {
    const moment = local - offsetMinutes(offset) * minuteMs;
    const shift = zoneMinutes(zone, moment);
    return written(moment + shift * minuteMs, shift);
  }
  // The offset before a change of the clock may give a moment behind it; the second look settles it.
  const guess = zoneMinutes(zone, local);
  return written(local, zoneMinutes(zone, local - guess * minuteMs));
}

function written(local: number, offset: number): string {
  const [sign, distance] = [offset < 0 ? '-' : '+', Math.abs(offset)];
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = new Date(local).toISOString().slice(0, 16);
  return `${clock}:00.000${sign}${two(Math.floor(distance / 60))}:${two(distance % 60)}`;
}

function offsetMinutes(offset: string): number {
  if (offset === 'Z') return 0;
  const digits = offset.slice(1).replaceAll(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2, 4));
  return offset.startsWith('-') ? -minutes : minutes;
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone === 'UTC' || zone === 'GMT' || zone.includes('/');
  } catch {
    return false;
  }
}

/** Minutes ahead of UTC at this moment. */
function zoneMinutes(zone: string, moment: number): number {
  if (zone === 'UTC') return 0;
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return name === 'GMT' ? 0 : offsetMinutes(name.slice(3));
}
