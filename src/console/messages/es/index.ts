/**
 * The console's texts in Spanish, neutral for Latin America. They address the user as “tú”.
 *
 * Glossary: action acción · agent agente · approval aprobación · callback callback · candidate candidata · cap tope ·
 * capability permiso · channel canal · contact contacto · conversation conversación · credit crédito · delivery entrega ·
 * draft borrador · endpoint endpoint · follow-up seguimiento · gateway gateway · grouping agrupación · header encabezado ·
 * judge evaluador · limit límite · member miembro · message mensaje · model modelo · playground playground · policy regla ·
 * preset conjunto · provider proveedor · publish publicar · receiver receptor · rehearsal ensayo · request solicitud ·
 * retention retención · revoke revocar · role rol · rotate rotar · run ejecución · scope alcance · script guion ·
 * secret secreto · share porcentaje · sign in iniciar sesión · take over tomar · test set conjunto de pruebas · token token ·
 * tool herramienta · turn turno · version versión · wait for a person esperar atención humana · webhook webhook ·
 * workspace espacio de trabajo
 */
import type { Texts } from '../../messages.ts';
import { agentTexts } from './agents.ts';
import { approvalTexts } from './approvals.ts';
import { channelTexts } from './channel.ts';
import { conversationTexts } from './conversations.ts';
import { dataTexts } from './data.ts';
import { developerTexts } from './developers.ts';
import { healthTexts } from './health.ts';
import { httpToolTexts } from './http-tools.ts';
import { inspectorTexts } from './inspector.ts';
import { mcpServerTexts } from './mcp-servers.ts';
import { modelTexts } from './models.ts';
import { organizationTexts } from './organization.ts';
import { overviewTexts } from './overview.ts';
import { problemTexts } from './problems.ts';
import { rehearsalTexts } from './rehearsals.ts';
import { toolTexts } from './tools.ts';
import { versionTexts } from './versions.ts';
import { webhookTexts } from './webhooks.ts';
import { workspaceActionTexts } from './workspace-actions.ts';

export const texts = {
  product: 'Parley',
  common: {
    cancel: 'Cancelar',
    save: 'Guardar',
    saved: 'Guardado',
    done: 'Listo',
    close: 'Cerrar',
    copy: 'Copiar',
    copied: 'Copiado',
    textToCopy: 'Texto para copiar',
    copyByHand: 'El texto está seleccionado: presiona Ctrl+C (⌘C en Mac) para copiarlo.',
    loading: 'Cargando',
    retry: 'Intentar de nuevo',
    more: 'Mostrar más',
    previousRow: 'Anterior en la lista',
    nextRow: 'Siguiente en la lista',
    showAll: 'Mostrar todo',
    showLess: 'Mostrar menos',
    none: 'Ninguno',
    never: 'Nunca',
    notFound: 'Página no encontrada',
    notFoundText: 'Revisa la dirección o elige una página del menú.',
    toOverview: 'Ir al resumen',
    couldNotLoad: 'No se pudo cargar',
    notAllowedTitle: 'Sin acceso',
    notAllowed: 'No tienes acceso a esta página. Consulta a un administrador.',
    somethingWrong: 'Esta página tuvo un problema. Recárgala; lo que guardaste se conserva.',
    reload: 'Recargar',
    showTyped: 'Mostrar u ocultar el texto',
    required: 'Este campo es obligatorio',
    checkFields: (names: readonly string[]) =>
      names.length === 0 ? 'Revisa los campos marcados.' : `Revisa: ${names.join(', ')}.`,
    period: {
      label: 'Período',
      any: 'Cualquier fecha',
      today: 'Hoy',
      lastDays: (days: number) => `Últimos ${String(days)} días`,
      custom: 'Personalizado…',
      from: 'Desde',
      to: 'Hasta',
    },
    wholeId: (length: number, typed: number) =>
      `Un ID completo tiene ${String(length)} caracteres; este tiene ${String(typed)}.`,
    actions: 'Acciones',
    moreActions: (name: string) => `Más acciones para ${name}`,
  },
  unsaved: {
    some: 'Cambios sin guardar',
    none: 'No hay cambios sin guardar',
    restored: 'Borrador recuperado',
    discard: {
      label: 'Descartar',
      title: '¿Descartar tus cambios?',
      text: 'El formulario vuelve a la versión guardada. Esta acción no se puede deshacer.',
      done: 'Cambios descartados',
    },
    title: 'Tienes cambios sin guardar',
    text: 'Si sales, esta pestaña del navegador los conserva como borrador hasta que vuelvas.',
    textLost: 'Si sales ahora sin guardar, se perderán.',
    stay: 'Quedarme',
    leave: 'Salir y conservar el borrador',
    leaveLost: 'Salir sin guardar',
    saveAndLeave: 'Guardar y salir',
  },
  signIn: {
    title: 'Iniciar sesión',
    lead: 'Agentes, canales y conversaciones en un solo lugar.',
    email: 'Correo electrónico',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    forgotten: '¿Olvidaste tu contraseña?',
    forgottenHelp:
      'Pide ayuda a un administrador: en Miembros, Restablecer contraseña crea un enlace para ti. Si no hay otro, quien administra esta instalación lo crea con',
    failed: 'No se pudo iniciar sesión',
    codeTitle: 'Ingresa tu código',
    codeLead: 'Esta cuenta tiene un segundo factor.',
    code: 'Código',
    codeHelp: 'Los 6 dígitos que muestra tu app de autenticación o un código de recuperación.',
    confirm: 'Confirmar',
    back: 'Usar otra cuenta',
  },
  forgotten: {
    title: 'Restablece tu contraseña',
    lead: 'Parley te envía por correo un enlace con el que eliges una nueva.',
    email: 'Correo electrónico',
    submit: 'Enviar enlace',
    sentTitle: 'Revisa tu correo',
    sent: 'Si hay una cuenta con este correo, un enlace va en camino. Funciona durante una hora.',
    sentHelp: (email) =>
      `¿No llegó nada a ${email} tras unos minutos? Revisa la carpeta de spam o pide ayuda a un administrador de tu organización.`,
    back: 'Volver a iniciar sesión',
  },
  nav: {
    reconnecting: 'Reconectando…',
    skip: 'Ir al contenido',
    main: 'Principal',
    menu: 'Menú',
    menuWaiting: (count) => `Menú, ${count} en espera`,
    side: 'Menú lateral',
    top: 'Barra superior',
    overview: 'Resumen',
    agents: 'Agentes',
    conversations: 'Conversaciones',
    approvals: 'Aprobaciones',
    deliveries: 'Entregas',
    tools: 'Herramientas',
    models: 'Modelos',
    developers: 'Desarrolladores',
    api: 'API',
    webhooks: 'Webhooks',
    quickStart: 'Primeros pasos',
    requests: 'Registro de solicitudes',
    documentation: 'Documentación',
    reference: 'Referencia de la API',
    organization: 'Organización',
    members: 'Miembros',
    roles: 'Roles',
    audit: 'Registro de auditoría',
    data: 'Uso y datos',
    account: 'Cuenta',
    signOut: 'Cerrar sesión',
    organizations: 'Organizaciones',
    theme: 'Apariencia',
    light: 'Clara',
    dark: 'Oscura',
    auto: 'Según el sistema',
    language: 'Idioma',
  },
  palette: {
    button: 'Buscar',
    title: 'Buscar páginas, agentes y conversaciones',
    placeholder: 'Página, agente, contacto o mensaje',
    pages: 'Páginas',
    agents: 'Agentes',
    conversations: 'Conversaciones',
    nothing: 'No se encontró nada',
  },
  tokens: {
    title: 'Tokens de API',
    lead: 'Un token permite que un programa llame a la API pública de esta organización, en la medida en que lo permitan sus alcances.',
    generate: 'Generar token de API',
    name: 'Nombre del token',
    nameHelp: 'Ponle el nombre del programa que lo usa, para saber después qué token revocar.',
    create: 'Generar',
    access: 'Acceso',
    presets: {
      full: { label: 'Acceso total', text: 'Todas las operaciones, incluidas las de versiones futuras.' },
      allowed: { label: 'Todo lo que permite tu rol', text: 'Todos los alcances que puedes otorgar.' },
      send: { label: 'Enviar mensajes', text: 'Enviar mensajes a agentes y recibir sus respuestas.' },
      read: { label: 'Lectura', text: 'Leer lo que tu rol puede ver. No cambiar nada.' },
      choose: { label: 'Elegir alcances', text: 'Selecciona lo que necesita el programa.' },
    },
    scopesTitle: 'Alcances',
    scopes: {
      'messages.send': 'Enviar mensajes y recibir las respuestas',
      'agents.view': 'Ver agentes',
      'agents.manage': 'Administrar agentes',
      'conversations.view': 'Ver conversaciones',
      'conversations.take_over': 'Tomar conversaciones',
      'approvals.decide': 'Aprobar llamadas a herramientas',
      'deliveries.view': 'Ver entregas',
      'webhooks.manage': 'Administrar firmas de webhooks y reenviar callbacks',
      'requests.view': 'Ver el registro de solicitudes, con los nombres de los tokens',
      'channels.manage': 'Administrar canales',
      'tools.view': 'Ver herramientas y conexiones',
      'tools.run': 'Ejecutar acciones de herramientas, incluso por MCP',
      'tools.manage': 'Conectar y desconectar herramientas',
      'data.view': 'Ver uso y retención',
      'data.manage': 'Exportar y borrar datos, cambiar la retención',
    },
    agents: 'Agentes',
    agentsHelp: 'El token solo tiene acceso a estos agentes y a sus conversaciones.',
    everyAgent: 'Todos los agentes',
    onlyAgents: (names: readonly string[]) => `Solo ${names.join(', ')}`,
    noAgentLeft: 'Sus agentes se eliminaron',
    beforeScopes: 'Anterior a los alcances',
    expiry: 'Vencimiento',
    expiries: { never: 'No vence', 30: 'En 30 días', 90: 'En 90 días', 365: 'En 1 año' },
    expires: 'Vence el',
    createdBy: (name: string) => `por ${name}`,
    rotate: {
      label: 'Rotar token',
      title: (name: string) => `¿Rotar ${name}?`,
      lead: 'El token recibe un secreto nuevo. Sus alcances, límites y estadísticas se conservan.',
      overlap: 'Secreto anterior',
      overlapHelp: 'Tiempo para darle el secreto nuevo al programa.',
      overlaps: {
        0: 'Deja de funcionar de inmediato',
        3600: 'Funciona durante 1 hora',
        86400: 'Funciona durante 1 día',
        604800: 'Funciona durante 7 días',
      },
    },
    previousUntil: 'El secreto anterior funciona hasta el',
    made: {
      title: 'Copia el token ahora',
      lead: 'No volverás a verlo. Si lo pierdes, revócalo y genera otro.',
      label: 'Token',
      copyLabel: 'Copiar token',
    },
    columns: {
      name: 'Nombre',
      prefix: 'Prefijo',
      status: 'Estado',
      created: 'Creado',
      lastUsed: 'Último uso',
      calls: 'Llamadas',
    },
    sinceCreation: 'desde su creación',
    messages: (used: string, limit: string | null) =>
      limit === null
        ? `${used} ${used === '1' ? 'mensaje' : 'mensajes'} este mes`
        : `${used} de ${limit} mensajes este mes`,
    credits: (used: string, limit: string) => `${used} de ${limit} créditos este mes`,
    limit: 'Definir límite',
    limitTitle: (name: string) => `Límite mensual de ${name}`,
    limitHelp:
      'Al alcanzar el límite, los mensajes nuevos enviados con este token se rechazan hasta el día 1 del próximo mes (UTC). Déjalo vacío para no tener límite.',
    limited: 'Límite guardado',
    limitReached: 'Límite alcanzado',
    statuses: { Active: 'Activo', Expired: 'Vencido', Revoked: 'Revocado' },
    table: 'Tokens de API de esta organización',
    revokeHelp: 'Revocar detiene el token de inmediato; sigue en la lista.',
    deleteHelp: 'Eliminar también lo detiene y lo quita de la lista.',
    revoke: (name: string, lastUsed: string | undefined) => ({
      label: 'Revocar token',
      title: `¿Revocar ${name}?`,
      text: `${lastUsed === undefined ? 'Nunca se usó.' : `Último uso: ${lastUsed}.`} Las llamadas a la API con él se rechazan en menos de un segundo. Esta acción no se puede deshacer.`,
      done: 'Token revocado',
    }),
    delete: (name: string, lastUsed: string | undefined) => ({
      label: 'Eliminar token',
      title: `¿Eliminar ${name}?`,
      text: `${lastUsed === undefined ? 'Nunca se usó.' : `Último uso: ${lastUsed}.`} El token deja de funcionar y desaparece de esta lista. Esta acción no se puede deshacer.`,
      done: 'Token eliminado',
    }),
    emptyTitle: 'Aún no hay tokens',
    emptyText: 'Genera uno para llamar a la API.',
    notViewable: 'Tu rol no permite ver tokens de API.',
    usage: 'Envíalo en cada llamada como',
    requestsOf: (name: string) => `Solicitudes de ${name}`,
  },
  ...overviewTexts,
  ...agentTexts,
  ...approvalTexts,
  ...channelTexts,
  ...conversationTexts,
  ...dataTexts,
  ...developerTexts,
  ...healthTexts,
  ...httpToolTexts,
  ...mcpServerTexts,
  ...inspectorTexts,
  ...modelTexts,
  ...organizationTexts,
  ...problemTexts,
  ...rehearsalTexts,
  ...toolTexts,
  ...workspaceActionTexts,
  ...versionTexts,
  webhooks: webhookTexts,
} satisfies Texts;
