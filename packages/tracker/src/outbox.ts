import { attempt } from './attempt.ts'
import { getClickId, keepClickId, widestDomain } from './cookies.ts'
import { post } from './post.ts'
import { log, STORAGE_KEY, settings } from './settings.ts'

type Callback = (clickId: string | null) => void
type Click = Record<string, unknown>
/** A click, or nothing in its place once it was counted, and the `aff` by which it is known for the rest of the visit. */
type Entry = [click: Click | 0, aff: string]

/** One visit: a tab, until it is closed. Where storage is off, it lasts as long as the page. The first entry names it. */
let visit: Entry[]
/** Links that were seen while nothing may be stored or sent: consent is missing, or the page is shown to nobody yet. */
let held: [click: Click, aff: string][] = []
let waiting: Callback[] = []
let isSending: number
let failures = 0

export const submit = (...link: [click: Click, aff: string]) => {
  held.push(link)
  work()
}

/**
 * Calls back when it is known whether there is a click, which is when nothing is under way. Who may not wait for consent
 * is given the click that is there. Later in any case, since calls from the queue come before the address was looked at.
 */
export const whenIdle = (callback: Callback, isPatient?: unknown) =>
  setTimeout(() => {
    if (isPatient || isSending || !getClickId()) {
      waiting.push(callback)
      work()
    } else tell(callback)
  })

/** Does what may be done now. Called whenever that could have changed. */
export const work = () =>
  attempt(() => {
    const { consent = 1 } = settings
    if (consent === 0) {
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

/** Read anew each time: another page of this tab may have gone on while this one lay in the back-forward cache. */
const recall = () => {
  const stored = JSON.parse(sessionStorage[STORAGE_KEY])
  // Whatever else the page may have put there has no name, and is as if it were absent.
  return stored[0][1] && stored
}

const save = () =>
  attempt(() => {
    sessionStorage[STORAGE_KEY] = JSON.stringify(visit)
  })

const enter = ([click, aff]: [Click, string]) => {
  if (visit.some((entry) => entry[1] === aff)) log('counted')
  else {
    // Both together name the click, so that the service recognises it when it is sent again.
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
    // Safari cuts the life of what a script writes to a week, so a cookie that came by header is left as it is.
    if (!isFirstParty || getClickId() !== click_id) keepClickId(click_id, cookie_window_days * 86_400)
  }
  save()
  // Should consent have been withdrawn meanwhile, this takes away again what was just kept.
  work()
}

/** In a turn of its own, so that what the page throws there is the page's. */
const tell = (callback: Callback) => setTimeout(callback, 0, getClickId())

const settle = () => {
  waiting.map(tell)
  waiting = []
}
