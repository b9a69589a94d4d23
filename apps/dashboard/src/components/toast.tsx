import { CircleAlert, CircleCheck } from 'lucide-react'
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

const show = (text: string, bad: boolean) => {
  const id = ++lastId
  change([...toasts.slice(-2), { id, text, bad }])
  setTimeout(() => change(toasts.filter((toast) => toast.id !== id)), SHOWN_MS)
}

/** A sentence about what was just done. Anything that asks for an answer is a dialog, not a toast. */
export const toast = {
  done: (text: string) => show(text, false),
  failed: (error: unknown) => show(error instanceof Error ? error.message : String(error), true),
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
      className="pointer-events-none fixed inset-x-3 bottom-4 z-60 flex flex-col items-center gap-2"
    >
      {shown.map(({ id, text, bad }) => (
        <p
          key={id}
          className="pointer-events-auto flex max-w-md animate-enter items-start gap-2 rounded-lg bg-ink px-3.5 py-2.5 font-medium text-canvas text-sm shadow-over [&_svg]:mt-px [&_svg]:size-4 [&_svg]:shrink-0"
        >
          {bad ? <CircleAlert aria-hidden /> : <CircleCheck aria-hidden />}
          {text}
        </p>
      ))}
    </div>
  )
}
