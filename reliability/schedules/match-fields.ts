import type { Reading } from "./minute-table.ts";

/** A matcher of cron expressions that shares no code with the engine's. */
export function matcherOf(cron: string): (reading: Reading) => boolean {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.split(" ");
  const minutes = numbers(minute, 0, 59);
  const hours = numbers(hour, 0, 23);
  const months = numbers(month, 1, 12);
  const isDay = dayMatcher(day);
  const isWeekday = weekdayMatcher(weekday);
  const isEither = day !== "*" && weekday !== "*";
  return (reading) =>
    minutes.has(reading.minute) &&
    hours.has(reading.hour) &&
    months.has(reading.month) &&
    (isEither ? isDay(reading) || isWeekday(reading) : isDay(reading) && isWeekday(reading));
}

function dayMatcher(field: string): (reading: Reading) => boolean {
  if (field === "L") return ({ day, monthLength }) => day === monthLength;
  if (field === "LW") return (reading) => reading.day === workingDay(reading, reading.monthLength);
  if (field.endsWith("W")) return (reading) => reading.day === workingDay(reading, Number.parseInt(field, 10));
  const days = numbers(field, 1, 31);
  return ({ day }) => days.has(day);
}

/** The working day of the reading's month that is nearest to a day of it, within the month. */
function workingDay({ day, weekday, monthLength }: Reading, wanted: number): number {
  const wantedWeekday = (((weekday + wanted - day) % 7) + 7) % 7;
  if (wantedWeekday === 6) return wanted === 1 ? 3 : wanted - 1;
  if (wantedWeekday === 0) return wanted === monthLength ? wanted - 2 : wanted + 1;
  return wanted;
}

const weekdayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

function weekdayMatcher(field: string): (reading: Reading) => boolean {
  const named = weekdayNames.reduce((text, name, index) => text.replaceAll(name, String(index)), field);
  const [one = "", nth] = named.split("#");
  if (nth !== undefined) return ({ weekday, day }) => weekday === Number(one) && Math.ceil(day / 7) === Number(nth);
  if (named.endsWith("L")) {
    return ({ weekday, day, monthLength }) => weekday === Number.parseInt(named, 10) && day + 7 > monthLength;
  }
  const weekdays = numbers(named, 0, 7);
  return ({ weekday }) => weekdays.has(weekday) || (weekday === 0 && weekdays.has(7));
}

function numbers(field: string, least: number, most: number): ReadonlySet<number> {
  return new Set(
    field.split(",").flatMap((part) => {
      const [range = "", step = "1"] = part.split("/");
      const [from = "", to = from] = range === "*" ? [String(least), String(most)] : range.split("-");
      const all: number[] = [];
      for (let value = Number(from); value <= Number(to); value += Number(step)) all.push(value);
      return all;
    }),
  );
}
