import type { Program } from '@tributary/contract'
import { useRef, useState } from 'react'
import { useChangeProgram } from '~/api/programs.ts'
import { toast } from '~/components/overlays/toast.tsx'
import { diffSettings, isChanged, readSettings, type SettingName, type Settings, toSettings } from './program-form.ts'

/** Refills an untouched form when the program changes elsewhere. Saves only edited fields, so a stale tab reverts nothing. */
export const useProgramForm = (program: Program, fields: readonly SettingName[]) => {
  const change = useChangeProgram(program.id)
  const form = useRef<HTMLFormElement>(null)
  const [{ filled, fillCount }, setFilled] = useState({ filled: toSettings(program), fillCount: 0 })
  const [isTouched, setTouched] = useState(false)
  const fill = (settings: Settings) => {
    setFilled({ filled: settings, fillCount: fillCount + 1 })
    setTouched(false)
  }
  if (!isTouched && isChanged(toSettings(program), filled)) fill(toSettings(program))

  const now = () => (form.current ? readSettings(new FormData(form.current), fields, filled) : filled)
  const saved = (updated: Program, sent: Settings) => {
    toast.done('Settings saved.')
    // Keep edits made while saving.
    if (isChanged(now(), sent)) setFilled({ filled: { ...filled, ...diffSettings(sent, filled) }, fillCount })
    else fill(toSettings(updated))
  }
  const submit = (values: FormData) => {
    const sent = readSettings(values, fields, filled)
    if (!isChanged(sent, filled)) return toast.done('No changes to save.')
    change.mutate(diffSettings(sent, filled), { onSuccess: (updated) => saved(updated, sent) })
  }
  const touch = () => setTouched(isChanged(now(), filled))
  return { change, form, shown: { ...program, ...filled }, fillCount, isTouched, touch, submit }
}
