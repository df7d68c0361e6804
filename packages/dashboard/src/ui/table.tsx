import { useRef, type ReactElement, type ReactNode } from "react";
import { cx } from "./cx.ts";
import { useOverflow } from "./use-overflow.ts";

export interface Column {
  readonly name: string;
  readonly isNumeric?: boolean;
  /** Hidden on narrow screens. */
  readonly isSecondary?: boolean;
}

interface TableProps {
  /** Name of the table. */
  readonly caption: string;
  readonly columns: readonly Column[];
  /** Rows of {@link Row}. */
  readonly children: ReactNode;
}

/** A dense table. The page scrolls, and a table that is wider than the page scrolls sideways. */
export function Table({ caption, columns, children }: TableProps): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const overflows = useOverflow(box);
  return (
    <div
      ref={box}
      className="relative overflow-x-auto rounded-panel border border-hairline bg-surface print:overflow-visible"
      // Without it, a keyboard could not reach what lies beside the visible part.
      {...(overflows && { role: "group", "aria-label": `${caption}, scrolls sideways`, tabIndex: 0 })}
    >
      <table className="w-full border-collapse text-body">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-hairline text-left text-small text-text-2">
            {columns.map(({ name, isNumeric, isSecondary }) => (
              <th
                key={name}
                scope="col"
                className={cx(
                  "px-3 py-2 font-medium whitespace-nowrap",
                  isNumeric === true && "text-right",
                  isSecondary === true && "max-md:hidden",
                )}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-hairline">{children}</tbody>
      </table>
    </div>
  );
}

export function Row({ children }: { readonly children: ReactNode }): ReactElement {
  return <tr className="h-8 hover:bg-sunken/60 pointer-coarse:h-11">{children}</tr>;
}

/** The first cell of a row, which names it. */
export function HeadCell({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <th scope="row" className="px-3 py-1 text-left font-medium">
      {children}
    </th>
  );
}

export function Cell({
  children,
  isNumeric,
  isSecondary,
}: {
  readonly children?: ReactNode;
  readonly isNumeric?: boolean;
  readonly isSecondary?: boolean;
}): ReactElement {
  return (
    <td
      className={cx(
        "px-3 py-1 align-middle",
        isNumeric === true && "text-right tabular-nums",
        isSecondary === true && "max-md:hidden",
      )}
    >
      {children}
    </td>
  );
}
