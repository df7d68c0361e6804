import { useEffect, useState, type ReactElement } from "react";
import { controlClass } from "../ui/field.tsx";

const pauseMs = 250;

interface SearchFieldProps {
  readonly text: string;
  readonly onSearch: (text: string) => void;
}

/** Searches when the reader pauses, and at once by Enter. */
export function SearchField({ text, onSearch }: SearchFieldProps): ReactElement {
  const [typed, setTyped] = useState(text);
  const [shown, setShown] = useState(text);
  // The address changed otherwise: by the Back button, or by Clear.
  if (shown !== text) {
    setShown(text);
    setTyped(text);
  }
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => onSearch(typed), pauseMs);
    return () => clearTimeout(timer);
  });
  return (
    <form
      role="search"
      aria-label="Filters"
      className="max-w-sm"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed);
      }}
    >
      <input
        type="search"
        aria-label="Search procedures"
        placeholder="Name or id"
        maxLength={200}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className={controlClass}
      />
    </form>
  );
}
