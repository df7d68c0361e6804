import { X } from "lucide-react";
import { useEffect, useId, useRef, type ReactElement, type ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { cx } from "./cx.ts";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the end. */
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
}

/** A modal dialog, shown while it is rendered. The browser keeps the focus inside, and returns it afterwards. */
export function Dialog({ title, onClose, children, actions, isWide = false }: DialogProps): ReactElement {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    ref.current?.showModal();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className={cx(
        "m-auto max-h-[90dvh] w-[calc(100%-2rem)] rounded-panel border border-hairline bg-surface p-0 text-text shadow-dialog",
        isWide ? "max-w-3xl" : "max-w-md",
      )}
    >
      <div className="flex items-start justify-between gap-4 px-5 pt-4">
        <h2 id={titleId} className="text-section font-semibold">
          {title}
        </h2>
        <IconButton icon={X} label="Close" onClick={onClose} />
      </div>
      <div className="flex flex-col gap-4 px-5 pt-2 pb-5">{children}</div>
      {actions !== undefined && (
        <div className="flex flex-wrap justify-end gap-2 border-t border-hairline px-5 py-3">{actions}</div>
      )}
    </dialog>
  );
}
