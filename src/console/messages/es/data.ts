import { countText } from '../../components/format.ts';
import type { dataTexts as english } from '../data.ts';
import type { Translation } from '../translation.ts';

const inDays = (days: number) => `${countText(days)} ${days === 1 ? 'día' : 'días'}`;
const counted = (count: number, one: string, many: string) =>
  `${count >= 10_000 ? 'al menos ' : ''}${countText(count)} ${count === 1 ? one : many}`;
const countOf = (count: number) => `${countText(count)} ${count === 1 ? 'conversación' : 'conversaciones'}`;

export const dataTexts = {
  data: {
    title: 'Uso y datos',
    lead: 'Uso, límites, retención, exportación y borrado.',
    period: 'Período',
    periods: { month: 'Este mes', last_month: 'Mes pasado', days: 'Últimos 30 días' },
    compared: (share: string, days: string) => `${share} vs. ${days}`,
    nothingBefore: (days: string) => `Sin uso ${days}`,
    credits: 'Créditos',
    messages: 'Mensajes',
    ofLimit: (limit: string) => `de ${limit}`,
    limits: 'Límites',
    saveLimits: 'Guardar límites',
    usage: 'Uso',
    messagesByDay: 'Mensajes por día',
    costByDay: 'Costo por día (USD)',
    keeping: 'Retención, exportación y borrado',
    by: 'Uso por',
    scripted: 'Respuestas de prueba de los agentes, sin modelo',
    byAgent: 'Por agente',
    byModel: 'Por modelo',
    byToken: 'Por token de API',
    withoutToken: 'Sin token, como en WhatsApp',
    rehearsals: 'Ensayos',
    withoutRehearsals: 'Conversaciones y pruebas',
    total: 'Total',
    erasedData: 'Datos borrados, ensayos repetidos',
    modelColumns: {
      agent: 'Agente',
      token: 'Token de API',
      model: 'Modelo',
      calls: 'Llamadas',
      input: 'Tokens de entrada',
      output: 'Tokens de salida',
      credits: 'Créditos',
      cost: 'Costo (USD)',
    },
    creditMeaning:
      'Lo que cuestan las llamadas al modelo. Quien administra tu servidor define cuántos créditos cuestan 1000 tokens de un modelo; los créditos no son dólares.',
    costHelp: 'A los precios guardados, sin llamadas fallidas',
    withoutPrice: (count: number) =>
      `sin ${countText(count)} ${count === 1 ? 'modelo que no tiene' : 'modelos que no tienen'} precio`,
    limitLabel: 'Créditos por mes',
    messageLimitLabel: 'Mensajes por mes',
    limitHelp:
      'El costo de todas las llamadas al modelo, con los valores que definió quien administra tu servidor.',
    messageLimitHelp: 'Mensajes recibidos, en todos los canales.',
    limitsTitle: 'Límites de la API',
    limitsLead:
      'Un límite alcanzado detiene los mensajes nuevos por la API. WhatsApp, los seguimientos y el playground continúan.',
    limitHeads: {
      name: 'Límite',
      used: 'Usado',
      resets: 'Este mes. Se reinicia el día 1 (UTC)',
      stays: 'Nunca se reinicia',
      limit: 'Máximo',
    },
    capsTitle: 'Topes estrictos de créditos',
    capsHelp:
      'Por día, mes, contacto o conversación. A diferencia de los límites de arriba, un tope también detiene las respuestas en WhatsApp y los seguimientos: no se hace una llamada que podría costar más de lo que queda. Déjalo vacío para no tener tope.',
    capsLead:
      'Un tope detiene también WhatsApp y los seguimientos: no se hace una llamada al modelo que pueda costar más de lo que queda.',
    capVerdict: (day?: string, month?: string, api?: string) =>
      (day === undefined && month === undefined
        ? 'La organización no tiene tope: nada limita el costo total de WhatsApp, de los seguimientos y del playground.'
        : `La organización gasta como máximo ${[day && `${day} créditos al día`, month && `${month} créditos al mes`].filter(Boolean).join(' y ')}.${month === undefined ? ' No hay tope mensual.' : ''}`) +
      (api === undefined ? '' : ` La API también se detiene al llegar a ${api} créditos al mes.`),
    noCap: 'Sin tope',
    caps: {
      day: 'Tope por día',
      month: 'Tope por mes',
      contact_day: 'Tope por contacto y día',
      contact_month: 'Tope por contacto y mes',
      conversation_day: 'Tope por conversación y día',
      conversation_month: 'Tope por conversación y mes',
    },
    capHeads: {
      name: 'Se aplica a',
      day: 'Por día',
      dayEnds: 'Se reinicia a medianoche (UTC)',
      month: 'Por mes',
      monthEnds: 'Se reinicia el día 1 (UTC)',
    },
    capRows: {
      organization: {
        name: 'Toda la organización',
        stops: 'Detiene todas las llamadas al modelo: API, WhatsApp, seguimientos y playground.',
      },
      contact: { name: 'Cada contacto', stops: 'Detiene las respuestas y los seguimientos a ese contacto.' },
      conversation: {
        name: 'Cada conversación',
        stops: 'Detiene las respuestas y los seguimientos en esa conversación.',
      },
    },
    capNear: (share: string) => `${share} usado. Aumenta el tope antes de que paren las respuestas.`,
    capFull: 'Agotado. Los agentes ya no responden.',
    limitNear: (share: string) => `${share} usado`,
    limitFull: 'Alcanzado. Los mensajes nuevos por la API se rechazan.',
    storageFull: 'Lleno. Los mensajes con archivos se rechazan.',
    capUsed: {
      day: (used: string) => `${used} usados hoy`,
      month: (used: string) => `${used} usados este mes`,
    },
    storage: 'Almacenamiento',
    storageNow: 'Almacenamiento ahora',
    units: { credits: 'créditos', messages: 'mensajes', storage: 'GB' },
    storageLabel: 'Límite de almacenamiento',
    storageHelp:
      'Todos los archivos guardados. Detiene los mensajes con archivos; los indicados por URL o enviados por WhatsApp no se descargan.',
    storageNone: (limit: string | null) => (limit === null ? 'Sin límite' : `${limit} por defecto`),
    creditsThisMonth: 'Créditos este mes',
    messagesThisMonth: 'Mensajes este mes',
    calls: 'Una llamada es una petición a un modelo. Un mensaje puede necesitar varias.',
    tokenMessages: 'Mensajes y sus créditos, según el token que los envió.',
    none: 'Sin límite',
    retentionUnit: (days: number) => (days === 1 ? 'día' : 'días'),
    keepAll: 'Conservar todo',
    limitQuestion: {
      title: '¿Rechazar los mensajes nuevos a partir de ahora?',
      used: {
        credits: (used: string) => `${used} ${used === '1' ? 'crédito usado' : 'créditos usados'} este mes.`,
        messages: (used: string) =>
          `${used} ${used === '1' ? 'mensaje recibido' : 'mensajes recibidos'} este mes.`,
      },
      text: {
        organization: (used: string, limit: string) =>
          `${used} Con un límite de ${limit}, los mensajes nuevos por la API se rechazan (HTTP 402) hasta el día 1 del próximo mes (UTC) o hasta que alguien aumente el límite. Los mensajes de WhatsApp se siguen respondiendo.`,
        token: (used: string, limit: string) =>
          `${used} Con un límite de ${limit}, los mensajes nuevos enviados con este token se rechazan (HTTP 402) hasta el día 1 del próximo mes (UTC) o hasta que alguien aumente el límite.`,
      },
      action: 'Guardar el límite',
    },
    reached: {
      credits: 'Se agotaron los créditos de este mes. Los mensajes nuevos por la API se rechazan (HTTP 402).',
      messages:
        'Se agotaron los mensajes de este mes. Los mensajes nuevos por la API se rechazan (HTTP 402).',
      until: (day: string) => `Esto termina el ${day} (UTC).`,
      raise: 'Aumentar el límite',
      ask: 'Pide a un administrador que aumente el límite.',
    },
    retentionQuestion: {
      title: (days: number) => `¿Conservar las conversaciones solo ${inDays(days)}?`,
      size: (days: number, { whole, part, complete }: { whole: number; part: number; complete: boolean }) =>
        [
          `${complete ? '' : 'Al menos '}${countOf(whole + part)} ${whole + part === 1 ? 'tiene' : 'tienen'} algo de hace más de ${inDays(days)}.`,
          whole > 0 ? `${countOf(whole)} se ${whole === 1 ? 'borrará' : 'borrarán'} por completo.` : '',
          part > 0
            ? `${countOf(part)} ${part === 1 ? 'perderá' : 'perderán'} sus mensajes más antiguos.`
            : '',
        ]
          .filter((sentence) => sentence !== '')
          .join(' '),
      end: 'El borrado empieza de inmediato y no se puede deshacer.',
      nothing: (days: number) =>
        `Aún no hay nada de hace más de ${inDays(days)}. A partir de ahora, los datos más antiguos se borrarán de forma permanente.`,
      action: 'Borrar y guardar',
      actionNothing: 'Guardar',
    },
    erasureSize: (conversations: number, messages: number, files: number, deliveries: number) =>
      conversations === 0
        ? 'No hay ninguna conversación que borrar. Solo se eliminan los datos que un canal tiene del contacto.'
        : `Esto borra ${[
            countOf(conversations),
            counted(messages, 'mensaje', 'mensajes'),
            counted(files, 'archivo', 'archivos'),
            counted(deliveries, 'entrega', 'entregas'),
          ]
            .filter((part) => !part.startsWith('0 '))
            .join(', ')}.`,
    storageQuestion: {
      title: '¿Rechazar los mensajes con archivos a partir de ahora?',
      text: (used: string, limit: string) =>
        `Los archivos ocupan ${used}. Con un límite de ${limit}, los mensajes con archivos se rechazan y los archivos indicados por URL no se descargan hasta que se borren archivos o alguien aumente el límite. Los archivos guardados se conservan.`,
    },
    capsQuestion: {
      title: '¿Detener las llamadas al modelo a partir de ahora?',
      text: {
        day: (used: string, cap: string) =>
          `Hoy se usaron ${used} créditos; el tope es ${cap}. Los agentes ya no llaman al modelo hasta la medianoche (UTC).`,
        month: (used: string, cap: string) =>
          `Este mes se usaron ${used} créditos; el tope es ${cap}. Los agentes ya no llaman al modelo hasta el día 1 del próximo mes (UTC).`,
        end: 'Esto incluye WhatsApp y los seguimientos.',
      },
    },
    saveOf: (what: string) => `Guardar: ${what}`,
    retention: 'Retención y exportación',
    keptNow: (days: number | null) =>
      days === null
        ? 'Se conserva ahora: todo'
        : `Se conserva ahora: ${days === 1 ? 'el último día' : `los últimos ${inDays(days)}`}`,
    keptHelp:
      'Conversaciones, con sus mensajes, archivos, llamadas a herramientas, notas y entregas. La antigüedad se cuenta desde el final de una respuesta; la de un mensaje sin respuesta o de una nota, desde su creación.',
    retentionLabel: 'Días de retención',
    retentionHelp:
      'Lo más antiguo se borra de forma permanente, a partir de ahora; antes de guardar, ves cuánto es. Déjalo vacío para conservar todo.',
    ownTerms: {
      title: 'Con retención propia',
      requests: 'Registro de solicitudes',
      audit: 'Registro de auditoría',
      rehearsals: 'Ensayos',
      agents: 'Agentes eliminados',
      days: inDays,
      auditDays: (days: number | null) =>
        `${days === null ? 'Para siempre' : inDays(days)}. Quien administra tu servidor cambia el plazo con`,
      restorable: (days: number) => `Se pueden restaurar durante ${inDays(days)}`,
    },
    export: 'Exportación',
    exportText: 'Agentes, contactos y conversaciones con todo su contenido, en un objeto JSON por línea.',
    exportAction: 'Descargar todo',
    erasure: 'Borrado definitivo',
    erasureLead: 'Lo que se borra no se puede restaurar.',
    erase: 'Borrar un contacto',
    contact: 'Contacto',
    contactHelp: 'Nombre o id',
    findContact: 'Buscar contacto',
    contactUnknown: 'Ninguna conversación tiene este contacto. Aun así, puedes borrar exactamente este id.',
    contactErases: 'Se borran todas sus conversaciones, con mensajes, archivos y entregas.',
    eraseContact: (id: string) => ({
      label: 'Borrar contacto',
      title: `¿Borrar ${id}?`,
      text: 'Se eliminan todas sus conversaciones con todos los agentes, con mensajes, archivos y entregas. Esta acción no se puede deshacer.',
      done: 'Contacto borrado',
    }),
    exportContact: 'Descargar este contacto',
    eraseOrganization: 'Borrar toda la organización',
    eraseOrganizationHelp:
      'Todo el acceso se cierra de inmediato y nada se puede restaurar. Pídeselo a quien administra tu servidor.',
    eraseOrganizationCommand: 'Mostrar comando',
  },
} satisfies Translation<typeof english>;
