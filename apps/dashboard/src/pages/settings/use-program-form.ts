import type { Program } from '@tributary/contract'
import { useRef, useState } from 'react'
import { useChangeProgram } from '~/api/programs.ts'
import { toast } from '~/components/overlays/toast.tsx'
import { changesIn, isChanged, type Settings, settingsIn, settingsOf } from './program-form.ts'

/**
 * The form is filled with what holds, and anew whenever that changes elsewhere while nobody has touched it. What is saved is
 * what was changed since then, so that an old tab takes nothing back.
 */
export const useProgramForm = (program: Program) => {
  const change = useChangeProgram(program.id)
  const form = useRef<HTMLFormElement>(null)
  const [{ filled, round }, setFilling] = useState({ filled: settingsOf(program), round: 0 })
  const [isTouched, setTouched] = useState(false)
  const fill = (settings: Settings) => {
    setFilling({ filled: settings, round: round + 1 })
    setTouched(false)
  }
  if (!isTouched && isChanged(settingsOf(program), filled)) fill(settingsOf(program))

  const now = () => (form.current ? settingsIn(new FormData(form.current), filled) : filled)
  const saved = (answer: Program, sent: Settings) => {
    toast.done('Settings saved.')
    // Whoever wrote on meanwhile keeps what they wrote.
    if (isChanged(now(), sent)) setFilling({ filled: { ...filled, ...changesIn(sent, filled) }, round })
    else fill(settingsOf(answer))
  }
  const submit = (values: FormData) => {
    const sent = settingsIn(values, filled)
    if (!isChanged(sent, filled)) return toast.done('Nothing to save.')
    change.mutate(changesIn(sent, filled), { onSuccess: (answer) => saved(answer, sent) })
  }
  const touch = () => setTouched(isChanged(now(), filled))
  return { change, form, shown: { ...program, ...filled }, round, isTouched, touch, submit }
}
