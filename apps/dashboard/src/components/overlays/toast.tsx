import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'

type Toast = { id: number; text: string; bad: boolean }

const SHOWN_MS = 4_500
let toasts: Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

const change = (next: Toast[]) => {
  toasts = next
  for (const listener of listeners) listener()
}

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id))

const showDone = (text: string) => {
  const id = ++lastId
  const kept = toasts.filter(({ bad }) => !bad).slice(-2)
  change([...toasts.filter((toast) => toast.bad || kept.includes(toast)), { id, text, bad: false }])
  setTimeout(() => dismiss(id), SHOWN_MS)
}

/** Failures stay until dismissed, so the user can't miss them. */
const showFailed = (text: string) =>
  change([...toasts.filter((toast) => !toast.bad || toast.text !== text), { id: ++lastId, text, bad: true }])

/** Reports what just happened. Use a dialog for anything that needs a decision. */
export const toast = {
  done: showDone,
  failed: (error: unknown) => showFailed(error instanceof Error ? error.message : String(error)),
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const Toaster = () => {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-3 bottom-4 z-60 flex flex-col items-center gap-2 print:hidden"
    >
      {shown.map(({ id, text, bad }) => (
        <div
          key={id}
          className="pointer-events-auto flex max-w-md animate-enter items-start gap-2 rounded-lg bg-ink px-3.5 py-2.5 font-medium text-canvas text-sm shadow-over [&_svg]:mt-px [&_svg]:size-4 [&_svg]:shrink-0"
        >
          {bad ? <CircleAlert aria-hidden /> : <CircleCheck aria-hidden />}
          <p>{text}</p>
          {bad && (
            <button type="button" aria-label="Dismiss message" onClick={() => dismiss(id)} className="-m-1.5 p-1.5">
              <X aria-hidden />
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
