-- Compares, at random points of a random program, the shadow stack with Lua's own.
--     lua5.4 -l jpbpf check.lua [SEED]
math.randomseed(tonumber(arg[1]) or 1)
local jpbpf = require "jpbpf"
local points, wrong = 0, 0
local run

local function check()
	points = points + 1
	if not jpbpf.check() then wrong = wrong + 1 end
end
local function leaf() check() end
local function tail(depth) return run(depth - 1) end
local function fails(depth)
	run(depth - 1)
	if math.random(2) == 1 then error("no") end
	check()
end
local function closes(depth)
	local guard <close> = setmetatable({}, { __close = function() check() end })
	run(depth - 1)
	error("closed")
end
local function yields(depth)
	for _ = 1, math.random(3) do
		run(depth - 1)
		check()
		coroutine.yield(1)
		check()
	end
end
local actions = {
	leaf, tail, tail,
	function(depth) pcall(fails, depth) check() end,
	function(depth) xpcall(fails, check, depth) check() end,
	function(depth) pcall(closes, depth) check() end,
	function(depth)
		local co = coroutine.wrap(yields)
		for _ = 1, math.random(3) do if not pcall(co, depth) then break end check() end
	end,
	function(depth)
		local t = { 3, 1, 2 }
		table.sort(t, function(a, b) check() return a < b end)
		run(depth - 1)
	end,
	function(depth) ("abc"):gsub(".", function() check() run(depth - 2) end) end,
	function(depth) setmetatable({}, { __index = function() check() return run(depth - 1) end }).x = nil end,
	function(depth) return setmetatable({}, { __index = function() check() return run(depth - 1) end }).x end,
	function() collectgarbage("step") check() end,
}
function run(depth)
	if depth > 0 then actions[math.random(#actions)](depth) end
	check()
end
while points < 200000 do run(12) end
print(points - wrong .. " of " .. points .. " points exact")
os.exit(wrong == 0)
