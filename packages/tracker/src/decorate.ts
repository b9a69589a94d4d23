import { attempt } from './attempt.ts'
import { getClickId } from './cookies.ts'
import { consentGiven, settings } from './settings.ts'

const PARAMETER = 'client_reference_id'
const ATTRIBUTE = 'client-reference-id'
const ELEMENTS = 'stripe-buy-button,stripe-pricing-table'

/** References that may be replaced: none, and the click IDs this page has seen. Any other belongs to the page. */
const replaceable: (string | null)[] = [null]

/** Puts the click ID on everything that leads to a payment page, or takes it off after consent was denied. */
export const decorate = (elements?: EventTarget[]) => {
  const clickId = consentGiven() === 1 ? getClickId() : null
  if (!replaceable.includes(clickId)) replaceable.push(clickId)
  // Before the first click there is nothing to put on or take off.
  if (replaceable.length > 1)
    for (const element of elements || document.querySelectorAll(`[href],${ELEMENTS}`))
      attempt(() => setReference(element as HTMLAnchorElement, clickId))
}

const setReference = (element: HTMLAnchorElement, clickId: string | null) => {
  // Matched rather than split, because an empty entry would be the host of mailto links.
  const hosts = `buy.stripe.com,book.stripe.com,${settings.paymentHosts}`.match(/[^\s,]+/g) as string[]
  const url = hosts.includes(element.hostname) && new URL(element.href)
  const found = url
    ? url.searchParams.get(PARAMETER)
    : element.matches(ELEMENTS)
      ? element.getAttribute(ATTRIBUTE)
      : clickId
  if (found === clickId || !replaceable.includes(found)) return
  if (url) {
    url.searchParams.delete(PARAMETER)
    if (clickId) url.searchParams.append(PARAMETER, clickId)
    element.href = url.href
  } else if (clickId) element.setAttribute(ATTRIBUTE, clickId)
  else element.removeAttribute(ATTRIBUTE)
}

export const watchPaymentLinks = () => {
  let timer: ReturnType<typeof setTimeout>
  // Waits for the next task, so that a page that keeps undoing the change does not hang.
  new MutationObserver(() => {
    clearTimeout(timer)
    timer = setTimeout(decorate, 9)
  }).observe(document, { attributeFilter: ['href', ATTRIBUTE], childList: true, subtree: true })
  // Covers links added just now, and those in a shadow root, which the observer does not see.
  for (const name of ['click', 'auxclick']) addEventListener(name, (event) => decorate(event.composedPath()), true)
}
