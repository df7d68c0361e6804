import { X } from "lucide-react";
import { createContext, use, useCallback, useState, type ReactElement, type ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { randomId } from "../api/random-id.ts";

interface Toast {
  readonly id: string;
  readonly text: string;
}

type ShowToast = (text: string) => void;

const ToastContext = createContext<ShowToast>(() => {});
const shownMs = 6_000;

/** Shows a message about something that happened and is not visible on the page. */
export function useToast(): ShowToast {
  return use(ToastContext);
}

export function Toasts({ children }: { readonly children: ReactNode }): ReactElement {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const remove = useCallback((id: string) => {
    setToasts((shown) => shown.filter((toast) => toast.id !== id));
  }, []);
  const show = useCallback<ShowToast>(
    (text) => {
      const id = randomId();
      setToasts((shown) => [...shown, { id, text }]);
      setTimeout(() => remove(id), shownMs);
    },
    [remove],
  );
  return (
    <ToastContext value={show}>
      {children}
      <div
        role="status"
        aria-label="Messages"
        className="fixed right-4 bottom-4 z-20 flex max-w-[min(384px,calc(100vw-32px))] flex-col gap-2 max-sm:bottom-18"
      >
        {toasts.map(({ id, text }) => (
          <div
            key={id}
            className="flex items-center justify-between gap-3 rounded-panel border border-hairline bg-surface py-1.5 pr-1.5 pl-3 shadow-dialog"
          >
            {text}
            <IconButton icon={X} label="Dismiss" onClick={() => remove(id)} />
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
