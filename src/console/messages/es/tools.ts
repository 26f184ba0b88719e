import { countText } from '../../components/format.ts';
import type { toolTexts as english } from '../tools.ts';
import type { Translation } from '../translation.ts';

const times = (count: number) => (count === 1 ? '1 vez' : `${countText(count)} veces`);

export const toolTexts = {
  mcpClients: {
    title: 'Conectar un cliente MCP',
    titleOf: (name: string) => `¿Conectar ${name}?`,
    lead: 'Este programa quiere actuar en tu nombre en Parley.',
    incompleteTitle: 'Este enlace está incompleto',
    incomplete: 'Empieza de nuevo en el programa que te envió aquí.',
    client: 'Programa',
    receiver: 'La respuesta va a',
    organization: 'Organización',
    as: 'Sesión iniciada como',
    may: (organization: string) =>
      `Puede ejecutar todas las acciones en los espacios de trabajo de documentos de ${organization}, hasta que lo quites en API o pierdas el derecho de crear tokens de API.`,
    warning: 'Un programa elige su propio nombre. Permítelo solo si tú iniciaste esto ahora mismo.',
    allow: 'Permitir',
    refuse: 'Rechazar',
    answered: 'El programa recibió tu respuesta. Puedes cerrar esta página.',
    connected: 'Clientes MCP conectados',
    connectedLead:
      'Programas que los miembros autorizaron a ejecutar acciones en documentos de esta organización.',
    columns: { name: 'Programa', member: 'Autorizado por', since: 'Desde', lastUsed: 'Último uso' },
    remove: (name: string) => ({
      label: 'Quitar',
      title: `¿Quitar ${name}?`,
      text: 'Sus llamadas se rechazan en menos de un segundo. Para volver, debe pedir autorización de nuevo.',
      done: 'Se quitó el cliente MCP',
    }),
  },
  toolActivity: {
    noAgent: 'Ningún agente',
    usedBy: (agents: number) => (agents === 1 ? 'La usa' : 'La usan'),
    usedByCount: (count: number) =>
      count === 0
        ? 'Ningún agente la usa'
        : `La ${count === 1 ? 'usa' : 'usan'} ${countText(count)} ${count === 1 ? 'agente' : 'agentes'}`,
    calls: (count: number) => (count === 0 ? 'ninguna llamada hoy' : `${times(count)} hoy`),
    callsAtLeast: (count: number) => `al menos ${times(count)} hoy`,
    failed: (count: number) => `${countText(count)} ${count === 1 ? 'fallida' : 'fallidas'}`,
    moreAgents: (count: number) => `y ${String(count)} más`,
    last: {
      succeeded: 'La última llamada salió bien',
      failed: 'La última llamada falló',
      unknown: 'Última llamada: resultado desconocido',
      pending: 'Última llamada en curso',
    },
  },
  schemaForm: {
    none: 'Sin argumentos.',
    optional: (count: number) => `Argumentos opcionales: ${String(count)}`,
    optionalLabel: (name: string) => `${name} (opcional)`,
    jsonLabel: (label: string) => `${label}, en JSON`,
    json: 'Todos los argumentos, en JSON',
    asJson: 'Editar en JSON',
    yes: 'Sí',
    no: 'No',
    notSet: 'Sin definir',
    choose: 'Elegir',
    addText: 'Escribe un texto y presiona Enter',
    problems: {
      missing: 'Este campo es obligatorio',
      not_a_number: 'Ingresa un número.',
      not_json: 'Esto no es JSON. Revisa comillas, comas y corchetes.',
      no_object: 'Ingresa los argumentos como un objeto JSON, como {"name": "value"}.',
      only_json:
        'El formulario no tiene campos para algunos de estos argumentos. Quítalos o ejecútalo en JSON.',
    },
  },
  tools: {
    title: 'Herramientas',
    lead: 'Lo que los agentes pueden consultar y cambiar: Notion, API HTTP y servidores MCP.',
    available: 'Disponibles',
    connected: 'Conectadas',
    search: 'Buscar herramientas',
    searchAll: (count: number) => `Buscar entre ${String(count)} herramientas`,
    none: 'Ninguna herramienta coincide con tu búsqueda.',
    docs: {
      name: 'Notion',
      text: 'Busca, lee y edita páginas, bases de datos, comentarios y archivos de tu equipo.',
      counted: (count: number) =>
        count === 1 ? '1 espacio de trabajo conectado' : `${String(count)} espacios de trabajo conectados`,
      refused: (count: number) =>
        count === 1 ? '1 espacio rechaza el acceso' : `${String(count)} espacios rechazan el acceso`,
    },
    http: {
      name: 'API HTTP',
      text: 'Deja que los agentes llamen al sistema de tu tienda, de reservas o de pedidos. Describe una solicitud o importa un archivo OpenAPI.',
      counted: (count: number) => (count === 1 ? '1 herramienta' : `${String(count)} herramientas`),
    },
    mcp: {
      name: 'Servidores MCP',
      text: 'Agrega un servidor del Model Context Protocol y elige cuáles de sus herramientas pueden llamar los agentes.',
      counted: (count: number, unsigned: number) => {
        const servers = count === 1 ? '1 servidor' : `${String(count)} servidores`;
        return unsigned === 0 ? servers : `${servers}, falta iniciar sesión en ${String(unsigned)}`;
      },
    },
    notSetUp: 'Aún sin configurar',
    seeActions: (count: number) => `Ver ${String(count)} acciones`,
    mcpServer: 'Servidor MCP',
    actsAs: (name: string) => `como ${name}`,
    access: {
      missing: 'Falta iniciar sesión',
      apiKey: 'Con clave de API',
      oauth: 'Con inicio de sesión (OAuth 2.0)',
      header: 'Con encabezado secreto',
      none: 'Sin inicio de sesión',
    },
    kinds: {
      docs: 'Acción de Notion',
      http: 'Herramienta HTTP',
      mcp: (server: string) => `Herramienta MCP de ${server}`,
    },
    foundTools: 'Herramientas encontradas',
    found: (count: number, shown: number) =>
      count > shown
        ? `Las primeras ${String(shown)} de ${String(count)} herramientas`
        : count === 1
          ? '1 herramienta'
          : `${String(count)} herramientas`,
    isConnected: 'Conectado',
    connect: 'Conectar',
    connectAnother: 'Conectar otro',
    reconnect: 'Reconectar',
    signIn: 'Iniciar sesión',
    signInAt: (server: string) => `Iniciar sesión en ${server}`,
    connectTitle: 'Conectar Notion',
    how: 'Método de acceso',
    oauth: 'OAuth 2.0',
    oauthHelp: 'Notion te pregunta qué páginas y bases de datos quieres compartir y te envía de vuelta aquí.',
    oauthGo: 'Continuar a Notion',
    apiKey: 'Clave de API',
    apiKeyHelp: 'Ingresa el token de una integración interna y comparte páginas con esa integración.',
    apiKeySubmit: 'Conectar',
    saved: 'Espacio de trabajo conectado',
    outcomes: {
      connected: 'Espacio de trabajo conectado',
      denied: 'El espacio de trabajo no se conectó: allí se denegó el acceso.',
      not_allowed: 'El espacio de trabajo no se conectó: tu rol ya no permite administrar herramientas.',
      other: 'No se pudo conectar el espacio de trabajo. Inténtalo de nuevo.',
    },
    connectionsTable: 'Conexiones',
    connectionsLead: 'Elige en la configuración de cada agente cuáles de estas usa.',
    httpElsewhere: (count: number) =>
      count === 1
        ? 'Tu herramienta HTTP no necesita conexión.'
        : `Tus ${String(count)} herramientas HTTP no necesitan conexión.`,
    toHttp: (count: number) => (count === 1 ? 'Ver la herramienta HTTP' : 'Ver las herramientas HTTP'),
    columns: {
      name: 'Conexión',
      usedBy: 'Usado por',
      how: 'Acceso',
      status: 'Estado',
      added: 'Desde',
    },
    unnamed: 'Espacio de trabajo sin nombre',
    statuses: { pending: 'Pendiente', connected: 'Conectado', needs_reconnect: 'Necesita atención' },
    disconnectedAgents: (count: number, names: readonly string[]) => {
      if (count === 0) return 'Ningún agente lo usa.';
      const others = count - names.length;
      const list = `${names.join(', ')}${others === 0 ? '' : ` y ${String(others)} más`}`;
      return count === 1
        ? `1 agente ya no podrá usarlo: ${list}.`
        : `${String(count)} agentes ya no podrán usarlo: ${list}.`;
    },
    disconnect: (name: string) => ({
      label: 'Desconectar',
      title: `¿Desconectar ${name}?`,
      text: 'Parley elimina sus credenciales. Para volver a usarlo, tendrás que reconectarlo.',
      done: 'Espacio de trabajo desconectado',
    }),
    emptyTitle: 'Aún no hay conexiones',
    emptyText:
      'Conecta Notion o agrega un servidor MCP para que los agentes puedan consultar información y hacer cambios.',
    actions: 'Acciones',
    searchActions: 'Buscar acciones',
    noAction: 'Ninguna acción coincide con tu búsqueda.',
    inWorkspace: 'En el espacio de trabajo',
    deprecated: 'Obsoleta',
    useInstead: (use: string) => `Usa ${use} en su lugar.`,
    effects: { read: 'Lee', write: 'Modifica' },
    effect: 'Efecto',
    allEffects: 'Todas',
    identifier: 'Identificador',
    schema: 'Esquema de entrada',
    input: 'Argumentos',
    run: 'Ejecutar acción',
    result: 'Resultado',
    copyResult: 'Copiar resultado',
    succeeded: 'Completada',
    failed: 'Falló',
    find: {
      open: 'Buscar una página',
      title: (workspace: string) => `Buscar una página en ${workspace}`,
      help: 'Encuentra páginas por palabras de su título. Los agentes que usan este espacio de trabajo ven las mismas páginas.',
      label: 'Buscar una página llamada',
      button: 'Buscar',
      found: (count: number, more: boolean) => {
        const pages = `${String(count)} ${count === 1 ? 'página' : 'páginas'}`;
        if (more) return count === 1 ? 'La primera página (1)' : `Las primeras ${pages}`;
        return `${pages} ${count === 1 ? 'encontrada' : 'encontradas'}`;
      },
      untitled: 'Página sin título',
      none: (integration: string) =>
        `No se encontró ninguna página. ${integration} solo ve las páginas compartidas con ella y Notion puede tardar unos minutos en encontrar una página nueva.`,
      share: (integration: string) =>
        `Para compartir una página: ábrela en Notion, haz clic en ••• arriba a la derecha, luego en Conexiones y elige ${integration}.`,
      integration: 'La integración',
    },
  },
} satisfies Translation<typeof english>;
