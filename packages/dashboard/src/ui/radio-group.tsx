import { useId, type ReactElement } from "react";

export interface RadioOption {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** Options with their explanations. One is chosen. */
export function RadioGroup({
  legend,
  isLegendHidden = false,
  value,
  options,
  onChange,
  columns = false,
}: {
  readonly legend: string;
  readonly isLegendHidden?: boolean;
  /** Of the chosen option; another text if none is chosen yet. */
  readonly value: string;
  readonly options: readonly RadioOption[];
  readonly onChange: (value: string) => void;
  /** Side by side on wide screens, for many short options. */
  readonly columns?: boolean;
}): ReactElement {
  const id = useId();
  return (
    <fieldset className="min-w-0">
      <legend className={isLegendHidden ? "sr-only" : "pb-1 font-medium"}>{legend}</legend>
      <div
        className={
          !columns
            ? "flex flex-col gap-3"
            : options.some(({ hint }) => hint !== undefined)
              ? "grid gap-3 sm:grid-cols-2 wide:grid-cols-3"
              : "flex flex-wrap gap-x-6 gap-y-2"
        }
      >
        {options.map(({ value: own, label, hint }) => (
          <div key={own} className="min-w-0">
            <label className="flex min-h-6 w-fit items-start gap-2 font-medium pointer-coarse:min-h-11 pointer-coarse:items-center">
              <input
                type="radio"
                name={id}
                className="mt-0.5 size-4 shrink-0"
                aria-describedby={hint === undefined ? undefined : `${id}-${own}`}
                checked={value === own}
                onChange={() => onChange(own)}
              />
              <span className="min-w-0 wrap-anywhere">{label}</span>
            </label>
            {hint !== undefined && (
              <p id={`${id}-${own}`} className="pl-6 text-small wrap-anywhere text-text-2">
                {hint}
              </p>
            )}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
