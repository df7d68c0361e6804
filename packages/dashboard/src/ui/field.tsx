import type { LucideIcon } from "lucide-react";
import { useId, type ComponentProps, type ReactElement, type ReactNode } from "react";
import { cx } from "./cx.ts";

export const controlClass =
  "min-h-8 w-full rounded-control border border-control bg-surface px-2.5 text-input text-text placeholder:text-text-3 " +
  "aria-invalid:border-failed disabled:bg-sunken disabled:text-text-3 pointer-coarse:min-h-11 pointer-coarse:text-[16px]";

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  /** Told like a problem, but the value counts. */
  readonly warning?: string | undefined;
  /** A word beside the label: "Optional". */
  readonly note?: string | undefined;
  /** Hides the label from view, where the place tells it. */
  readonly isLabelHidden?: boolean;
  readonly className?: string;
  /** The control, which takes these attributes. */
  readonly children: (attributes: ControlAttributes) => ReactNode;
}

export interface ControlAttributes {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

/** A control with its label, hint and problem. */
export function Field({
  label,
  hint,
  problem,
  warning,
  note,
  isLabelHidden,
  className,
  children,
}: FieldProps): ReactElement {
  const id = useId();
  const hintId = `${id}-hint`;
  const problemId = `${id}-problem`;
  const warningId = `${id}-warning`;
  const describedBy = [
    hint !== undefined && hintId,
    problem !== undefined && problemId,
    warning !== undefined && warningId,
  ]
    .filter(Boolean)
    .join(" ");
  return (
    <div className={cx("flex flex-col gap-1", className)}>
      <div className={cx("flex items-baseline justify-between gap-2", isLabelHidden === true && "sr-only")}>
        <label htmlFor={id} className="text-body font-medium wrap-anywhere">
          {label}
        </label>
        {note !== undefined && <span className="text-small text-text-3">{note}</span>}
      </div>
      {children({
        id,
        "aria-describedby": describedBy === "" ? undefined : describedBy,
        "aria-invalid": problem === undefined ? undefined : true,
      })}
      {hint !== undefined && (
        <p id={hintId} className="text-small text-text-3">
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={problemId} className="text-small font-medium whitespace-pre-line text-failed wrap-anywhere">
          {problem}
        </p>
      )}
      {warning !== undefined && (
        <p id={warningId} className="text-small font-medium whitespace-pre-line text-review wrap-anywhere">
          {warning}
        </p>
      )}
    </div>
  );
}

type Given = Pick<FieldProps, "label" | "hint" | "problem" | "warning" | "note" | "isLabelHidden">;

export function TextField({
  label,
  hint,
  problem,
  warning,
  note,
  isLabelHidden,
  className,
  icon: Icon,
  ...input
}: Given & Omit<ComponentProps<"input">, "children"> & { readonly icon?: LucideIcon }): ReactElement {
  return (
    <Field {...defined({ hint, problem, warning, note, isLabelHidden, className })} label={label}>
      {(attributes) => (
        <div className="relative">
          {Icon !== undefined && (
            <Icon
              aria-hidden
              size={15}
              className="pointer-events-none absolute inset-y-0 left-2.5 my-auto text-text-3"
            />
          )}
          <input type="text" {...input} {...attributes} className={cx(controlClass, Icon !== undefined && "pl-8")} />
        </div>
      )}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  problem,
  warning,
  note,
  isLabelHidden,
  className,
  isCode,
  ...area
}: Given & ComponentProps<"textarea"> & { /** JSON and the like. */ readonly isCode?: boolean }): ReactElement {
  return (
    <Field {...defined({ hint, problem, warning, note, isLabelHidden, className })} label={label}>
      {(attributes) => (
        <textarea
          rows={4}
          {...(isCode === true && { spellCheck: false, autoComplete: "off" })}
          {...area}
          {...attributes}
          className={cx(controlClass, "py-1.5", isCode === true && "font-mono text-code")}
        />
      )}
    </Field>
  );
}

export interface SelectOption {
  readonly value: string;
  readonly label: string;
}

export function SelectField({
  label,
  hint,
  problem,
  warning,
  note,
  isLabelHidden,
  className,
  options,
  ...select
}: Given & Omit<ComponentProps<"select">, "children"> & { readonly options: readonly SelectOption[] }): ReactElement {
  return (
    <Field {...defined({ hint, problem, warning, note, isLabelHidden, className })} label={label}>
      {(attributes) => (
        <select {...select} {...attributes} className={controlClass}>
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckboxField({
  label,
  hint,
  ...input
}: { readonly label: string; readonly hint?: string } & ComponentProps<"input">): ReactElement {
  const hintId = useId();
  return (
    <div>
      <label className="flex min-h-6 w-fit items-start gap-2 pointer-coarse:min-h-11 pointer-coarse:items-center">
        <input
          {...input}
          type="checkbox"
          aria-describedby={hint === undefined ? undefined : hintId}
          className="mt-0.5 size-4 shrink-0 pointer-coarse:mt-0 pointer-coarse:size-6"
        />
        {label}
      </label>
      {/* Beside the label, so that it is no part of the name. */}
      {hint !== undefined && (
        <p id={hintId} className="pl-6 text-small text-text-3 pointer-coarse:pl-8">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Leaves out members that are undefined, which optional properties do not accept. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
