import { clsx } from 'clsx'
import { type ReactNode, useEffect } from 'react'

export const usePageTitle = (title: string) => {
  useEffect(() => {
    document.title = `${title} · Tributary`
  }, [title])
}

type Props = {
  title: string
  /** If the browser tab shows another title. */
  tabTitle?: string
  back?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** The content is a list: on a phone, its rows matter more than the description. */
  isList?: boolean
  /** The content is a document of its own: on paper it fills the page, without the header. */
  isDocument?: boolean
  children: ReactNode
}

/** The frame of every screen; sets the tab title too. */
export const Page = ({
  title,
  tabTitle = title,
  back,
  description,
  actions,
  isList = false,
  isDocument = false,
  children,
}: Props) => {
  usePageTitle(tabTitle)
  return (
    <div
      className={clsx(
        'mx-auto flex w-full max-w-6xl flex-col gap-5 px-4 py-6 sm:px-6 lg:px-8 lg:py-8',
        isList && 'max-sm:gap-3 max-sm:py-3',
        isDocument && 'print:block print:max-w-none print:p-0',
      )}
    >
      <header
        className={clsx('flex flex-wrap items-end justify-between gap-x-6 gap-y-3', isDocument && 'print:hidden')}
      >
        <div className="min-w-0">
          {back}
          <h1 className="wrap-anywhere text-title">{title}</h1>
          {description && (
            <p className={clsx('mt-1 max-w-2xl text-pretty text-soft text-sm', isList && 'max-sm:sr-only')}>
              {description}
            </p>
          )}
        </div>
        {actions && <div className="flex min-w-0 max-w-full flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
