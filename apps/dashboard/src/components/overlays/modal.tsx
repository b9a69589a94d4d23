import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useRestoreFocus } from './restore-focus.ts'

export const OVERLAY = 'fixed inset-0 z-40 animate-fade bg-black/40 dark:bg-black/60'
export const PANEL = 'fixed z-50 border-line bg-surface shadow-over focus:outline-none'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Position and size. */
  className: string
  /** Whether the modal has a description besides its title. */
  isDescribed?: boolean
  /** Runs before Escape or an outside click closes it; may prevent that. */
  beforeLeaving?: (event: Event) => void
  children: ReactNode
}

/** Base of dialogs, drawers and the command palette: traps the focus until closed. */
export const Modal = ({ open, onOpenChange, className, isDescribed = false, beforeLeaving, children }: Props) => {
  const restoreFocus = useRestoreFocus(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={OVERLAY} />
        <Radix.Content
          {...(!isDescribed && { 'aria-describedby': undefined })}
          onEscapeKeyDown={beforeLeaving}
          onInteractOutside={beforeLeaving}
          onCloseAutoFocus={restoreFocus}
          className={`${PANEL} ${className}`}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** For screen readers only. */
export const HiddenTitle = ({ children }: { children: string }) => (
  <Radix.Title className="sr-only">{children}</Radix.Title>
)

export const ModalHeader = ({ title, description }: { title: string; description?: ReactNode }) => (
  <header className="flex items-start justify-between gap-4">
    <div className="min-w-0">
      <Radix.Title className="wrap-anywhere text-section">{title}</Radix.Title>
      {description && <Radix.Description className="mt-1 text-soft text-sm">{description}</Radix.Description>}
    </div>
    <Radix.Close aria-label="Close" className="-mt-1 -mr-1.5 rounded-md p-1.5 text-faint hover:bg-hover hover:text-ink">
      <X className="size-4" aria-hidden />
    </Radix.Close>
  </header>
)
