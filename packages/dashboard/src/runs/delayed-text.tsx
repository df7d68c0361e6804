import { useEffect, useState, type ComponentProps, type ReactElement } from "react";
import { TextField } from "../ui/field.tsx";

interface DelayedTextProps extends Omit<ComponentProps<typeof TextField>, "value" | "onChange"> {
  readonly value: string | undefined;
  readonly onReport: (value: string) => void;
}

const pauseMs = 300;

/** A text field that reports its value once the person pauses, or presses Enter. */
export function DelayedText({ value = "", onReport, ...field }: DelayedTextProps): ReactElement {
  const [text, setText] = useState(value);
  const [reported, setReported] = useState(value);
  // The address changed otherwise: by Back, by a link, or by "Clear filters".
  if (value !== reported) {
    setReported(value);
    setText(value);
  }
  useEffect(() => {
    if (text.trim() === reported) return undefined;
    const timer = setTimeout(() => report(), pauseMs);
    return () => clearTimeout(timer);
  });
  const report = (): void => {
    setReported(text.trim());
    if (text.trim() !== value) onReport(text.trim());
  };
  return (
    <TextField
      {...field}
      autoComplete="off"
      value={text}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") report();
      }}
    />
  );
}
