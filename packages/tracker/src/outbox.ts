import { attempt } from './attempt.ts'
import { getClickId, keepClickId, widestDomain } from './cookies.ts'
import { decorate } from './decorate.ts'
import { post } from './post.ts'
import { consentGiven, log, STORAGE_KEY, settings } from './settings.ts'

type Callback = (clickId: string | null) => void
type Click = Record<string, unknown>
/** A click, or 0 once it is recorded, and the `aff` that identifies it for the rest of the visit. */
type Entry = [click: Click | 0, aff: string]

/** One visit lasts until the tab is closed, or as long as the page if storage is disabled. The first entry holds the session ID. */
let visit: Entry[]
/** Links seen while nothing may be stored or sent: without consent, or while the page is prerendered. */
let held: [click: Click, aff: string][] = []
let waiting: Callback[] = []
let isSending: number
let failures = 0

export const submit = (...link: [click: Click, aff: string]) => {
  held.push(link)
  work()
}

/**
 * Calls back once it is known whether there is a click, that is, when no call is in flight. Without `isPatient`, an existing click ID
 * is returned without waiting for consent. Always asynchronous, because queued calls run before the URL is checked.
 */
export const whenIdle = (callback: Callback, isPatient?: unknown) =>
  setTimeout(() => {
    if (isPatient || isSending || !getClickId()) {
      waiting.push(callback)
      work()
    } else notify(callback)
  })

/** Does everything that is possible now. Called whenever that may have changed. */
export const work = () =>
  attempt(() => {
    decorate()
    const consent = consentGiven()
    if (consent === 0) {
      log('refused')
      keepClickId(null, 0)
      settle()
      delete sessionStorage[STORAGE_KEY]
    } else if (consent !== 1 || (document as { prerendering?: boolean }).prerendering) log('waiting')
    else {
      visit = attempt(recall) || visit || [[0, `${Math.random()}`]]
      held.map(enter)
      held = []
      if (!isSending) send()
    }
  })

/** Read every time, because another page in this tab may have continued the visit while this one was in the back-forward cache. */
const recall = () => {
  const stored = JSON.parse(sessionStorage[STORAGE_KEY])
  // Ignores anything else the page may have stored under this key.
  return stored[0][1] && stored
}

const save = () =>
  attempt(() => {
    sessionStorage[STORAGE_KEY] = JSON.stringify(visit)
  })

const enter = ([click, aff]: [Click, string]) => {
  if (visit.some((entry) => entry[1] === aff)) log('counted')
  else {
    // Together they identify the click, so that the service recognizes a repeat.
    click.session_id = (visit[0] as Entry)[1]
    click.visit_id = Math.random()
    visit.push([click, aff])
    save()
  }
}

const send = async () => {
  const [click, aff] = visit.find((entry) => entry[0]) || []
  if (!click) return settle()
  isSending = 1
  click.existing_click_id = getClickId()
  const isFirstParty = settings.base.origin === location.origin
  const answer = await post(isFirstParty ? `click?cookie_domain=${widestDomain()}&first_party=1` : 'click', click)
  isSending = 0
  if (!answer) {
    if (failures++ < 3) setTimeout(work, 500 * 4 ** failures)
    return settle()
  }
  const { click_id, cookie_window_days } = answer
  failures = 0
  visit = visit.filter((entry) => entry[1] !== aff)
  if (click_id) {
    visit.push([0, aff as string])
    // Safari limits cookies written by scripts to a week, so a cookie set by the response header is kept.
    if (!isFirstParty || getClickId() !== click_id) keepClickId(click_id, cookie_window_days * 86_400)
  }
  save()
  // If consent was withdrawn meanwhile, this deletes the cookie and the visit again.
  work()
}

/** Asynchronous, so that errors in the callback do not reach the tracker. */
const notify = (callback: Callback) => setTimeout(callback, 0, getClickId())

const settle = () => {
  waiting.map(notify)
  waiting = []
}
