import { countText } from '../../components/format.ts';
import type { Translation } from '../translation.ts';
import type { versionTexts as english } from '../versions.ts';

const lines = (count: number): string =>
  `${countText(count)} ${count === 1 ? 'línea sin cambios' : 'líneas sin cambios'}`;

export const versionTexts = {
  versions: {
    title: 'Versiones',
    lead: 'Compara las versiones del agente, vuelve a una de ellas o deja que una responda un porcentaje de las conversaciones nuevas.',
    table: 'Versiones de este agente',
    columns: {
      version: 'Versión',
      share: 'Porcentaje',
      note: 'Nota',
      changes: 'Cambios',
      outcome: 'Últimos 7 días',
      author: 'Autor',
      at: 'Creada',
    },
    version: (number: number) => `Versión ${String(number)}`,
    versionInText: (number: number) => `versión ${String(number)}`,
    published: 'Publicada',
    candidate: 'Candidata',
    answers: (count: number, shown: string) => (count === 1 ? '1 respuesta' : `${shown} respuestas`),
    failed: (count: string, of: string, rate: string) => `${count} de ${of} con error (${rate})`,
    noneFailed: 'Ninguna con error',
    compare: 'Comparar',
    compareOf: (number: number) => `Comparar la versión ${String(number)}`,
    openDraft: 'Abrir el borrador',
    versionShare: (number: number, percent: number) => `Versión ${String(number)} (${String(percent)} %)`,
    restores: (number: number) => `Restaura el contenido de la versión ${String(number)}`,
    unknownAuthor: 'No registrado',
    notRecorded: 'No registrado',
    rollBack: (number: number, published: number) => ({
      label: 'Restaurar',
      title: `¿Restaurar la versión ${String(number)}?`,
      text: `Su contenido se convierte en una versión nueva, que responde a partir del próximo mensaje. Las respuestas en curso conservan la versión con la que empezaron. Lo que cambia respecto de la versión ${String(published)}:`,
      done: 'Versión restaurada',
    }),
    share: {
      give: 'Asignar porcentaje',
      change: 'Cambiar porcentaje',
      title: (number: number) => `Porcentaje de la versión ${String(number)}`,
      label: 'Porcentaje de las conversaciones nuevas',
      help: 'De 1 a 99. Cada una de estas conversaciones conserva la versión mientras esta tenga un porcentaje. Con 100, la versión se publica.',
      replaces: (number: number) => `La versión ${String(number)} tiene un porcentaje ahora y lo perderá.`,
      save: 'Guardar porcentaje',
      saved: 'Porcentaje guardado',
      end: (number: number, published: number) => ({
        label: 'Quitar porcentaje',
        title: `¿Quitar el porcentaje de la versión ${String(number)}?`,
        text: `Sus conversaciones continúan con la versión ${String(published)}, a partir del próximo mensaje.`,
        done: 'Se quitó el porcentaje',
      }),
      publish: (number: number, published: number) => ({
        label: 'Publicar para todos',
        title: `¿Publicar la versión ${String(number)}?`,
        text: `Responde todas las conversaciones a partir del próximo mensaje. Lo que cambia respecto de la versión ${String(published)}:`,
        done: 'Publicada',
      }),
    },
    draft: {
      changes: (fields: string) => `modifica ${fields}`,
      row: 'Borrador',
      unpublished: 'Sin publicar',
      save: 'Guardar borrador',
      saved: 'Borrador guardado',
      mark: 'borrador',
      tryIt: 'Probar el borrador',
      noticeTitle: 'Borrador',
      savedAt: 'guardado',
      by: (author: string) => `por ${author}`,
      answers: 'No responde a ningún cliente hasta que lo publiques.',
      stale: (version: number, base: number) =>
        `Entretanto se publicó la versión ${String(version)}; el borrador partió de la versión ${String(base)}. Antes de publicarlo, revisa las diferencias.`,
      discard: {
        label: 'Descartar borrador',
        title: '¿Descartar el borrador?',
        text: 'El formulario vuelve a la versión publicada. Esta acción no se puede deshacer.',
        done: 'Borrador descartado',
      },
      publish: 'Publicar',
      publishTitle: 'Publicar una versión',
      changesFrom: (version: number) =>
        `Cambios respecto de la versión ${String(version)}, que está publicada`,
      note: 'Nota',
      noteHelp: 'Qué cambia y por qué. Se muestra en la lista de versiones.',
      shareHelp:
        '100: responde a todos a partir del próximo mensaje. Menos de 100: se convierte en una candidata.',
      published: (version: number, percent: number | null) =>
        percent === null
          ? `La versión ${String(version)} está publicada`
          : `La versión ${String(version)} responde el ${String(percent)} % de las conversaciones nuevas`,
      keepsShare: (number: number, percent: number) =>
        `La versión ${String(number)} conserva su ${String(percent)} % de las conversaciones nuevas.`,
      needsRehearsal:
        'Este agente solo se puede publicar después de que se apruebe un ensayo de exactamente este borrador.',
      notRehearsedTitle: 'No se aprobó ningún ensayo de este borrador',
      notRehearsed:
        'El borrador está guardado y no se publicó. Ensáyalo hasta que todos los turnos pasen y publícalo sin hacer otros cambios.',
      rehearse: 'Ensayar el borrador',
      changedByOthers: 'Otra persona modificó el borrador mientras tanto. Compara el suyo con el tuyo.',
      conflictTitle: 'Otra persona guardó un borrador de este agente',
      goneTitle: 'Otra persona publicó o descartó el borrador',
      conflictNotice: 'Otra persona guardó un borrador de este agente.',
      goneNotice: 'Otra persona publicó o descartó el borrador.',
      savedBy: (author: string) => `Guardado por ${author}`,
    },
    detailTitle: (number: number) => `Versión ${String(number)}`,
    compareWith: 'Comparar con',
    option: (number: number, mark: string | undefined) =>
      `Versión ${String(number)}${mark === undefined ? '' : ` (${mark})`}`,
    publishedMark: 'publicada',
    candidateMark: 'candidata',
    changesFrom: (before: number, after: number) =>
      `Cambios de la versión ${String(before)} a la versión ${String(after)}`,
    first: 'Esta es la versión más antigua que se conserva.',
    content: 'Contenido',
    same: 'No hay diferencias.',
    changeOf: (field: string) => `Cambios de ${field}`,
    gap: (count: number) => `… ${lines(count)}`,
    fields: {
      instructions: 'Instrucciones',
      model: 'Modelo',
      fallback_model: 'Modelo de reserva',
      script: 'Guion',
      follow_ups: 'Seguimientos',
      transfers_to: 'Puede transferir a',
      may_hand_over: 'Puede pasar a una persona',
      tools: 'Herramientas',
      tool_policies: 'Reglas de las herramientas',
      approvers: 'Aprobadores en WhatsApp',
      connections: 'Espacios de trabajo',
      temperature: 'Temperatura',
      max_output_tokens: 'Máximo de tokens de salida',
      reasoning_effort: 'Esfuerzo de razonamiento',
      output_schema: 'Esquema de salida',
    },
    defaultModel: 'El modelo predeterminado',
    onlyWorkspace: 'El único espacio de trabajo',
    on: 'Activado',
    off: 'Desactivado',
  },
} satisfies Translation<typeof english>;
