import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

/** Whether the browser should do what it does with links: open a tab or a window, or download. */
const isForBrowser = (event: MouseEvent) =>
  event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey

/** A link to an address of the app that is built at run time. Router links with a fixed `to` check their parameters. */
export const AppLink = ({ href, onClick, ...rest }: ComponentProps<'a'> & { href: string }) => {
  const { history } = useRouter()
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event)
        if (isForBrowser(event)) return
        event.preventDefault()
        history.push(href)
      }}
    />
  )
}
