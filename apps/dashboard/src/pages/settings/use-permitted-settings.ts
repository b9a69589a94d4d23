import { useProgram } from '~/app/program-context.ts'
import { SETTINGS } from '~/app/settings-navigation.ts'

/** The groups and sections that the user may see. */
export const usePermittedSettings = () => {
  const { may } = useProgram()
  return SETTINGS.map(({ title, sections }) => ({
    title,
    sections: sections.filter(({ permission }) => may(permission)),
  })).filter(({ sections }) => sections.length > 0)
}
