const units = ["year", "month", "week", "day", "hour", "minute", "second"] as const;

/** An ISO 8601 duration in words: "24 hours", "1 hour 30 minutes". One that cannot be read stays as it is. */
export function durationWords(iso: string): string {
  const parts = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(iso);
  const words = units.flatMap((unit, index) => {
    const count = Number(parts?.[index + 1] ?? 0);
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? "" : "s"}`];
  });
  return words.length === 0 ? iso : words.join(" ");
}

/** A choice of durations, with the present one if it is another. */
export function durationOptions(
  durations: readonly string[],
  present: string,
  none?: string,
): readonly { readonly value: string; readonly label: string }[] {
  const all = durations.includes(present) ? durations : [...durations, present];
  return all.map((value) => ({ value, label: value === "PT0S" && none !== undefined ? none : durationWords(value) }));
}
