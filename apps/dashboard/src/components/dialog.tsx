import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useFocusBack } from './focus-back.ts'
import { Scrollable } from './scrollable.tsx'

const OVERLAY = 'fixed inset-0 z-40 animate-fade bg-black/40 dark:bg-black/60'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  children: ReactNode
  footer?: ReactNode
}

const Header = ({ title, description }: Pick<Props, 'title' | 'description'>) => (
  <header className="flex items-start justify-between gap-4">
    <div className="min-w-0">
      <Radix.Title className="wrap-anywhere font-semibold text-[0.9375rem]">{title}</Radix.Title>
      {description && <Radix.Description className="mt-1 text-soft text-sm">{description}</Radix.Description>}
    </div>
    <Radix.Close aria-label="Close" className="-mt-1 -mr-1.5 rounded-md p-1.5 text-faint hover:bg-hover hover:text-ink">
      <X className="size-4" aria-hidden />
    </Radix.Close>
  </header>
)

/** A secret that is shown this once is left on purpose, not by a slip of the finger. */
const keepWhatIsShownOnce = (event: Event) => {
  if (document.querySelector('[role=dialog] [data-shown-once]')) event.preventDefault()
}

/** A question or a short form in the middle of the page. */
export const Dialog = ({ open, onOpenChange, title, description, children, footer }: Props) => {
  const giveFocusBack = useFocusBack(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={OVERLAY} />
        <Radix.Content
          {...(!description && { 'aria-describedby': undefined })}
          onEscapeKeyDown={keepWhatIsShownOnce}
          onInteractOutside={keepWhatIsShownOnce}
          onCloseAutoFocus={giveFocusBack}
          className="fixed inset-x-3 top-[12dvh] z-50 mx-auto flex max-h-[80dvh] max-w-md animate-enter flex-col gap-5 overflow-y-auto rounded-xl border border-line bg-surface p-5 shadow-over focus:outline-none"
        >
          <Header title={title} description={description} />
          {children}
          {footer && <footer className="flex justify-end gap-2">{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type DrawerProps = Props & { side?: 'left' | 'right'; bare?: boolean }

/** A panel at the side: the details of a row, or the navigation on a phone (`bare`: without a header of its own). */
export const Drawer = ({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  side = 'right',
  bare,
}: DrawerProps) => {
  const giveFocusBack = useFocusBack(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={OVERLAY} />
        <Radix.Content
          {...(!description && { 'aria-describedby': undefined })}
          onCloseAutoFocus={giveFocusBack}
          className={clsx(
            'fixed inset-y-0 z-50 flex flex-col border-line bg-surface shadow-over focus:outline-none',
            side === 'right'
              ? 'right-0 w-[min(30rem,100vw)] animate-slide border-l'
              : 'left-0 w-[min(17rem,86vw)] animate-slide-left border-r',
          )}
        >
          {bare ? (
            <Radix.Title className="sr-only">{title}</Radix.Title>
          ) : (
            <div className="border-line border-b px-5 py-4">
              <Header title={title} description={description} />
            </div>
          )}
          <Scrollable
            label={title}
            className={clsx('min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2', !bare && 'p-5')}
          >
            {children}
          </Scrollable>
          {footer && <footer className="flex justify-end gap-2 border-line border-t px-5 py-3">{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
