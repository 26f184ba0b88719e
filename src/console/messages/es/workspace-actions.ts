import type { Translation } from '../translation.ts';
import { read, search, single, write, type workspaceActionTexts as english } from '../workspace-actions.ts';

const outdated = 'Una acción más antigua, reemplazada por otra.';
const removes = 'Puede quitar lo que escribió tu equipo.';
const people = 'Muestra los nombres y los correos de tu equipo.';

export const workspaceActionTexts = {
  workspaceActions: {
    title: 'Notion',
    actions: {
      DOCS_SEARCH_DOCS_PAGE: search(
        'Buscar por título',
        'Encuentra páginas y bases de datos, con todas sus propiedades.',
      ),
      DOCS_FETCH_DATA: search(
        'Listar páginas y bases de datos',
        'Encuentra páginas y bases de datos por título, de forma resumida.',
      ),
      DOCS_QUERY_DATABASE: search(
        'Listar filas',
        'Lista las filas de una base de datos, en el orden que quieras.',
      ),
      DOCS_QUERY_DATABASE_WITH_FILTER: search(
        'Filtrar filas',
        'Encuentra las filas de una base de datos que cumplen un filtro.',
      ),
      DOCS_QUERY_DATA_SOURCE: search(
        'Filtrar filas de una fuente de datos',
        'Encuentra filas en una parte de una base de datos.',
      ),

      DOCS_GET_PAGE_MARKDOWN: read('Leer una página', 'Lee el texto de una página.'),
      DOCS_RETRIEVE_PAGE: read(
        'Leer las propiedades de una página',
        'Lee el título, las fechas y otras propiedades.',
      ),
      DOCS_GET_PAGE_PROPERTY_ACTION: read(
        'Leer una propiedad',
        'Lee por completo una propiedad larga de una página.',
      ),
      DOCS_FETCH_BLOCK_CONTENTS: read(
        'Leer bloques',
        'Lee los bloques que están directamente en una página o bloque.',
      ),
      DOCS_FETCH_ALL_BLOCK_CONTENTS: read(
        'Leer todos los bloques',
        'Lee los bloques de una página, incluidos los anidados.',
      ),
      DOCS_FETCH_BLOCK_METADATA: read('Leer un bloque', 'Lee el tipo y las propiedades de un bloque.'),
      DOCS_FETCH_DATABASE: read(
        'Leer las columnas de una base de datos',
        'Lee qué columnas tiene una base de datos.',
      ),
      DOCS_RETRIEVE_DATABASE_PROPERTY: read('Leer una columna', 'Lee la configuración de una columna.'),
      DOCS_FETCH_ROW: read('Leer una fila', 'Lee los valores de una fila.'),
      DOCS_LIST_DATA_SOURCE_TEMPLATES: read(
        'Listar plantillas',
        'Lista las plantillas de página de una base de datos.',
      ),
      DOCS_FETCH_COMMENTS: read('Leer comentarios', 'Lee los comentarios abiertos de una página o bloque.'),
      DOCS_RETRIEVE_COMMENT: read('Leer un comentario', 'Lee un comentario.'),
      DOCS_RETRIEVE_FILE_UPLOAD: read(
        'Revisar una subida',
        'Comprueba si la subida de un archivo se completó.',
      ),
      DOCS_LIST_FILE_UPLOADS: read('Listar subidas', 'Lista los archivos que subió Parley.'),

      DOCS_CREATE_DOCS_PAGE: write(
        'Crear una página',
        'Agrega una página dentro de otra o a una base de datos.',
      ),
      DOCS_ADD_MULTIPLE_PAGE_CONTENT: write(
        'Agregar bloques a una página',
        'Agrega títulos, párrafos, listas y más.',
      ),
      DOCS_APPEND_TEXT_BLOCKS: write('Agregar texto', 'Agrega párrafos, títulos y elementos de lista.'),
      DOCS_APPEND_TASK_BLOCKS: write('Agregar tareas', 'Agrega tareas, listas desplegables y destacados.'),
      DOCS_APPEND_CODE_BLOCKS: write('Agregar código', 'Agrega código, citas y ecuaciones.'),
      DOCS_APPEND_MEDIA_BLOCKS: write(
        'Agregar multimedia',
        'Agrega imágenes, videos, archivos y marcadores a partir de su dirección.',
      ),
      DOCS_APPEND_LAYOUT_BLOCKS: write('Agregar diseño', 'Agrega divisores, columnas e índices.'),
      DOCS_APPEND_TABLE_BLOCKS: write('Agregar tablas', 'Agrega tablas con sus filas.'),
      DOCS_UPDATE_BLOCK: write('Modificar un bloque', 'Reemplaza el texto de un bloque.'),
      DOCS_UPDATE_PAGE: write(
        'Modificar una página o fila',
        'Modifica propiedades, icono y portada o la mueve a la papelera.',
      ),
      DOCS_MOVE_PAGE: write('Mover una página', 'Mueve una página dentro de otra o a una base de datos.'),
      DOCS_DUPLICATE_PAGE: write('Copiar una página', 'Copia una página con su contenido.'),
      DOCS_CREATE_DATABASE: write('Crear una base de datos', 'Agrega una base de datos a una página.'),
      DOCS_INSERT_ROW_DATABASE: write('Agregar una fila', 'Agrega una fila a una base de datos.'),
      DOCS_CREATE_COMMENT: write(
        'Escribir un comentario',
        'Comenta en una página o responde a un comentario.',
      ),
      DOCS_CREATE_FILE_UPLOAD: write('Iniciar una subida', 'Prepara la subida de un archivo.'),
      DOCS_SEND_FILE_UPLOAD: write('Subir un archivo', 'Envía el contenido de un archivo.'),

      DOCS_REPLACE_PAGE_CONTENT: single(
        'Reemplazar una página',
        'Quita el contenido de una página y agrega otro.',
        removes,
      ),
      DOCS_DELETE_BLOCK: single(
        'Eliminar un bloque o página',
        'Mueve un bloque, página o base de datos a la papelera.',
        removes,
      ),
      DOCS_ARCHIVE_DOCS_PAGE: single(
        'Eliminar o restaurar una página',
        'Mueve una página a la papelera o la restaura.',
        removes,
      ),
      DOCS_INSERT_ROW_FROM_NL: single(
        'Agregar una fila a partir de una frase',
        'Extrae de un texto los valores de la fila.',
        'Hace su propia llamada al modelo, que cuesta créditos.',
      ),
      DOCS_LIST_USERS: single(
        'Listar personas',
        'Lista las personas y los bots del espacio de trabajo.',
        people,
      ),
      DOCS_GET_ABOUT_USER: single(
        'Ver una persona',
        'Muestra los datos de una persona o un bot del espacio de trabajo.',
        people,
      ),
      DOCS_ADD_PAGE_CONTENT: single('Agregar un bloque', 'Agrega un bloque a una página.', outdated),
      DOCS_APPEND_BLOCK_CHILDREN: single(
        'Agregar bloques en el formato de Notion',
        'Agrega bloques de cualquier tipo.',
        outdated,
      ),
      DOCS_GET_ABOUT_ME: single('Ver la integración', 'Muestra el nombre de la integración.', outdated),
    },
    subjects: {
      pages: 'Páginas',
      content: 'Texto de las páginas',
      databases: 'Bases de datos y filas',
      comments: 'Comentarios',
      files: 'Archivos',
      people: 'Personas',
    },
    presets: {
      search: { name: 'Búsqueda', text: 'Encuentra páginas, bases de datos y filas.' },
      read: { name: 'Lectura', text: 'Lee páginas, filas, comentarios y las columnas de bases de datos.' },
      write: {
        name: 'Escritura',
        text: 'Agrega y modifica páginas, filas, comentarios y archivos. También puede mover una página a la papelera.',
      },
    },
    none: 'Fuera de los conjuntos',
    count: (chosen: number, all: number) =>
      chosen === 0 || chosen === all
        ? `${String(all)} acciones.`
        : `${String(chosen)} de ${String(all)} acciones seleccionadas.`,
    single: (chosen: number, all: number) =>
      `Acciones individuales: ${String(chosen)} de ${String(all)} seleccionadas`,
    search: 'Buscar acciones del espacio de trabajo',
    noMatch: 'Ninguna acción coincide con tu búsqueda.',
    connect: 'Conectar un espacio de trabajo',
    offer: 'Este agente puede buscar, leer y escribir en Notion en cuanto se conecte un espacio de trabajo.',
    notConnected: 'No hay ningún espacio de trabajo conectado, por eso las acciones seleccionadas fallan.',
    refused: (workspaces: readonly string[]) =>
      `${workspaces.join(', ')} ya no ${workspaces.length === 1 ? 'acepta' : 'aceptan'} el acceso de Parley, por eso las acciones seleccionadas fallan.`,
    reconnect: 'Reconectar',
    morePolicies: (count: number) =>
      count === 1
        ? '1 acción del espacio de trabajo se ejecuta sin pedir aprobación'
        : `${String(count)} acciones del espacio de trabajo se ejecutan sin pedir aprobación`,
  },
} satisfies Translation<typeof english>;
