import { useEffect, useState, type ComponentProps, type ReactElement } from "react";
import { TextField } from "./field.tsx";

interface DelayedTextProps extends Omit<ComponentProps<typeof TextField>, "value" | "onChange"> {
  readonly value: string | undefined;
  readonly onReport: (value: string) => void;
}

const pauseMs = 300;

/** A text field that reports its value once the person pauses, presses Enter, or leaves it. */
export function DelayedText({ value = "", onReport, ...field }: DelayedTextProps): ReactElement {
  const [text, setText] = useState(value);
  const [shownValue, setShownValue] = useState(value);
  const [reported, setReported] = useState(value);
  if (value !== shownValue) {
    setShownValue(value);
    // The address changed by other means, such as the back button. A report of this field leaves the text as it is.
    if (value !== reported) setText(value);
  }
  const given = text.trim();
  useEffect(() => {
    if (given === value) return undefined;
    const timer = setTimeout(() => {
      setReported(given);
      onReport(given);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [given, value, onReport]);
  const reportNow = (): void => {
    if (given === value) return;
    setReported(given);
    onReport(given);
  };
  return (
    <TextField
      {...field}
      autoComplete="off"
      value={text}
      onChange={({ target }) => setText(target.value)}
      // A report that came later would lead back from the page that a click opens.
      onBlur={reportNow}
      onKeyDown={({ key }) => {
        if (key === "Enter") reportNow();
      }}
    />
  );
}
